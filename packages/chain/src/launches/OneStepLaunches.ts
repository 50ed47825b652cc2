import { NotFound } from "@launch-registry/domain/http/NotFound"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { BuiltLaunch } from "@launch-registry/domain/launch/CreateLaunch"
import { SOL_DECIMALS } from "@launch-registry/domain/amounts/AmountText"
import { InsufficientFunds } from "@launch-registry/domain/solana/InsufficientFunds"
import { refuseIssues } from "../build/RefuseIssues.ts"
import { Context, Effect, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { LAUNCHPAD_PRESETS, type LaunchpadPresets } from "./ConfigPreset.ts"
import { checkConfig, configStep, type CreatedConfig, type NewConfig } from "./ConfigStep.ts"
import { type FirstBuy, quoteFirstBuy } from "./FirstBuy.ts"
import { quoteAccounts, quoteTokenFault } from "./FirstBuyChecks.ts"
import { firstBuyStep } from "./FirstBuyStep.ts"
import { createdSource, existingSource } from "./LaunchConfigSource.ts"
import { paymentsOf } from "../build/Payments.ts"
import { type LaunchState, readLaunchState } from "./LaunchState.ts"
import { type LaunchStep, type PaymentOptions, planned, type PlannedTransaction } from "../build/LaunchStep.ts"
import { type MintSource, mintFrom } from "./NewMint.ts"
import { packLaunch } from "./PackLaunch.ts"
import { Pools } from "../pools/Pools.ts"
import { poolMetadataStep, poolStep } from "./PoolStep.ts"
import { type PriceOf, PriorityFees } from "../build/PriorityFees.ts"
import { type Simulated, simulated } from "../swaps/SwapSimulations.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { signLaunch, type SignedLaunch } from "./SignLaunch.ts"
import { signingIssues } from "../build/SigningKeys.ts"
import type { PoolMetadataTexts, TokenLabel } from "../accounts/TokenLabelAccounts.ts"
import { type TokenPair, tokenProgram } from "../venues/TokenPair.ts"
import { fits } from "../build/UnsignedTransaction.ts"

/** A token to launch: its configuration, pool and first buy. */
export interface OneStepLaunch extends PaymentOptions {
  readonly signer: string
  readonly label: TokenLabel
  /** Address of one on chain, or what to create. */
  readonly config: string | Omit<NewConfig, "signer">
  readonly mint: MintSource
  readonly poolMetadata?: PoolMetadataTexts
  readonly firstBuy?: FirstBuy
}

/** The transactions of a launch, and what was built. */
export interface OneStepTransactions
  extends
    SignedLaunch,
    Pick<BuiltLaunch, "simulation" | "quote" | "cost" | "wallet" | "feeClaimer" | "leftoverReceiver" | "terms"> {
  readonly config: string
  readonly mintAddress: string
  readonly pool: string
  readonly quoteMint: string
  /** Where no existing one was named. */
  readonly created?: CreatedConfig
}

type LaunchFailure = InvalidRequest | NotFound | InsufficientFunds | Unavailable
type Named = "config" | "mint" | "ofSpl" | "of2022"

const refused = InvalidRequest.at

/** Builds whole launches, in as few transactions as they fit into. Two requests to the chain, three with a priority level. */
export class OneStepLaunches extends Context.Service<
  OneStepLaunches,
  { readonly build: (launch: OneStepLaunch) => Effect.Effect<OneStepTransactions, LaunchFailure> }
>()("@launch-registry/chain/launches/OneStepLaunches") {
  static readonly layer = (presets: LaunchpadPresets = LAUNCHPAD_PRESETS) =>
    Layer.effect(
      OneStepLaunches,
      Effect.gen(function* () {
        const rpc = yield* Rpc
        const pools = yield* Pools
        const fees = yield* PriorityFees

        /** What needs no wallet: the quote mint, and the new configuration as far as it can be checked. */
        const target = Effect.fnUntraced(function* ({ config, signer }: OneStepLaunch) {
          if (typeof config === "string")
            return { quoteMint: (yield* pools.getConfig(config)).quoteMint, existing: config }
          const checked = yield* checkConfig(presets, { ...config, signer })
          return { quoteMint: checked.quoteMint, checked }
        })

        /** The configuration of the pool, with the step that creates it where there is one. */
        const configuration = Effect.fnUntraced(function* (
          { checked, existing, quoteMint }: Effect.Success<ReturnType<typeof target>>,
          signer: string,
          { accounts, quote, rent }: LaunchState<Named>,
        ) {
          if (checked !== undefined) {
            const { created, step } = yield* configStep(checked, signer, { quote, rent })
            return { source: createdSource(created), created, steps: [step] }
          }
          if (quote === undefined)
            return yield* refused(
              "body.config",
              `expected a config whose quote mint exists; there is none at ${quoteMint}`,
            )
          const found = accounts.config && existingSource(existing, accounts.config)
          if (found === undefined) return yield* new NotFound({ resource: "config", id: existing })
          yield* refuseIssues(found.issues)
          return { source: found.source, created: undefined, steps: [] }
        })

        const build = Effect.fn("OneStepLaunches.build")(function* (launch: OneStepLaunch) {
          const { firstBuy, label, poolMetadata, priorityFee, signer, transactionVersion: version } = launch
          yield* refuseIssues([...signingIssues("body.signer", signer), ...fees.issuesOf(priorityFee)])
          const aim = yield* target(launch)
          const { existing, quoteMint } = aim
          const taken = { "the config": existing, "the quote mint": quoteMint }
          yield* refuseIssues(signingIssues("body.signer", signer, taken))
          const mint = yield* mintFrom(launch.mint, { ...taken, "the signer": signer })

          const wallets = firstBuy && (yield* Effect.promise(() => quoteAccounts(signer, quoteMint)))
          const named = { ...wallets, mint: mint.address, ...(existing && { config: existing }) } as Record<
            Named,
            string
          >
          const state = yield* readLaunchState(pools, { signer, quoteMint }, named)
          const { accounts, rent } = state
          const { created, source, steps } = yield* configuration(aim, signer, state)

          const quote = { ...state.quote!, mint: quoteMint }
          const pair: TokenPair = {
            base: { mint: mint.address, program: tokenProgram(source.tokenType), decimals: source.tokenDecimal },
            quote,
          }
          const pool = yield* poolStep({
            ...{ signer, config: source.address, facts: source, label, mint, quote, rent },
          })
          const buyFor = (minimumAmountOut: bigint) =>
            firstBuyStep({
              ...{ ...pair, signer, pool: pool.accounts, rent, minimumAmountOut, amountIn: firstBuy!.amountIn },
              readsInstructions: source.start.enableFirstSwapWithMinFee,
              // Lamports alone, which anybody can send to its address, are no account for wrapped SOL.
              hasWrappedSol: accounts.ofSpl?.owner === TOKEN_PROGRAM,
            })
          const about = { pool: pool.accounts.pool, signer }
          const all: ReadonlyArray<LaunchStep> = [
            ...steps,
            pool.step,
            ...(firstBuy === undefined ? [] : [yield* buyFor(0n)]),
            ...(poolMetadata === undefined ? [] : [yield* poolMetadataStep(about, poolMetadata, rent)]),
          ]
          const paying = { feePayer: signer, version, priceOf: yield* fees.priceOf(priorityFee, []) }
          const groups = packLaunch(all, (some) => fits(planned(some, paying).plan))
          if (groups === undefined)
            return yield* refused("body.poolMetadata", "expected a website and an image that fit into a transaction")

          const isWithPool = groups.some((group) =>
            ["pool", "first_buy"].every((purpose) => group.some((step) => step.purpose === purpose)),
          )
          const opened = { ...pair, pool: pool.accounts.pool, isWithPool }
          const quoted = firstBuy && (yield* quoteFirstBuy(source.start, firstBuy, opened))
          // The amount takes as many bytes, whatever it is.
          const buy = quoted && (yield* buyFor(BigInt(quoted.minimumAmountOut)))
          const transactions = groups.map((group) =>
            planned(
              group.map((step) => (step.purpose === "first_buy" ? buy! : step)),
              paying,
            ),
          )

          if (firstBuy !== undefined) {
            const account = quote.program === TOKEN_PROGRAM ? accounts.ofSpl : accounts.of2022
            const { amountIn } = firstBuy
            const fault = quoteTokenFault(account, { signer, quote, amountIn })
            if (fault !== undefined) return yield* "path" in fault ? new InvalidRequest({ issues: [fault] }) : fault
          }
          const { wallet: funds } = paymentsOf(transactions, state.lamports, rent)
          if (!funds.sufficient) {
            const { lamports: held, required, shortfall } = funds
            const token = { mintAddress: NATIVE_MINT, decimals: SOL_DECIMALS }
            return yield* new InsufficientFunds({ signer, ...token, held, required, shortfall })
          }
          yield* pools.expect(mint.address, { pool: pool.accounts.pool, config: source.address })
          const keys = { config: created?.configAddress, baseMint: mint }
          const sign = (of: ReadonlyArray<PlannedTransaction>) => signLaunch(rpc, of, keys)
          // Several transactions are signed as they are: the later ones cannot be run yet.
          const whole = version === 1 && transactions.length === 1 ? transactions[0] : undefined
          const run = whole && (yield* simulated(rpc, (yield* sign([whole])).transactions[0]!, []))
          const ready = whole && run?.limits ? [withLimits(whole, run.limits, paying.priceOf)] : transactions
          const { cost, wallet } = paymentsOf(ready, state.lamports, rent)
          return {
            ...(yield* sign(ready)),
            ...(run && { simulation: run.simulation }),
            ...{ config: source.address, mintAddress: mint.address, pool: pool.accounts.pool, quoteMint, cost, wallet },
            ...{ feeClaimer: source.feeClaimer, leftoverReceiver: source.leftoverReceiver, terms: source.terms },
            ...(quoted && { quote: quoted }),
            ...(created && { created }),
          }
        })

        return OneStepLaunches.of({ build })
      }),
    ).pipe(Layer.provide(PriorityFees.layer))
}

/** The launch with the limits that its simulation asks for: in a transaction of version 1 nothing stands in for them. */
const withLimits = (
  whole: PlannedTransaction,
  limits: NonNullable<Simulated["limits"]>,
  priceOf: PriceOf,
): PlannedTransaction => ({
  ...whole,
  plan: { ...whole.plan, ...limits, computeUnitPriceMicroLamports: priceOf(limits.computeUnitLimit) },
})
