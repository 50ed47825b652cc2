import type { NotFound } from "@launch-registry/domain/http/NotFound"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { CurveCompleted, PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import type { SwapQuote, SwapSimulation } from "@launch-registry/domain/launch/Pool"
import type { PriorityFee } from "@launch-registry/domain/launch/PriorityFee"
import { Context, Effect, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { buildTransaction } from "./BuildTransaction.ts"
import type { ExtraAccounts } from "./AccountReads.ts"
import { contendedAccounts } from "./ContendedAccounts.ts"
import type { CurveSnapshot, MigratedV1Snapshot } from "./CurveSnapshot.ts"
import { requireSwappable } from "./DammChecks.ts"
import { largestDammAmountIn, quoteDammSwap } from "./DammQuoting.ts"
import { requireSwappableV1 } from "./DammV1Checks.ts"
import { quoteDammV1Swap, unfilledDammV1 } from "./DammV1Quoting.ts"
import { loadDbcSdk } from "./DbcSdk.ts"
import { hasTransferHook } from "./PoolAccount.ts"
import { Pools } from "./Pools.ts"
import { graduatedPool, isComplete, venueOf } from "./PoolViews.ts"
import { PriorityFees } from "./PriorityFees.ts"
import { rentOf } from "./Rent.ts"
import { signingIssues } from "./SigningKeys.ts"
import type { Swap, WalletSwap } from "./Swap.ts"
import { accountsToCheck, referralIssues, swapProblems } from "./SwapChecks.ts"
import { swapInstructions } from "./SwapInstructions.ts"
import { largestAmountIn, quoteSwap } from "./SwapQuoting.ts"
import { simulated } from "./SwapSimulations.ts"
import { extendableMints, type ExtendableMint } from "./TransferExtensions.ts"
import type { UnsignedTransaction } from "./UnsignedTransaction.ts"

/** Measured: 51-62k, with new token accounts 68-84k; on DAMM v1 120-135k. */
const SWAP_UNITS = 200_000

/** How the transaction of a swap is built. */
export interface SwapOptions {
  /** Instead of a priority fee. */
  readonly computeUnitPriceMicroLamports?: bigint
  readonly priorityFee?: PriorityFee
  /** Has an RPC node run the transaction. */
  readonly simulate?: boolean
}

export interface UnsignedSwap {
  readonly quote: SwapQuote
  readonly unsigned: UnsignedTransaction
  readonly simulation: SwapSimulation
}

type SwapFailure = NotFound | CurveCompleted | PoolNotSwappable | InvalidRequest | Unavailable

/**
 * Quotes swaps where a token trades, on its curve or in the DAMM v2 or v1 pool that it migrated to, and builds them for the
 * signer's wallet to sign: one request for a mint that was seen before.
 */
export class Swaps extends Context.Service<
  Swaps,
  {
    readonly quote: (swap: Swap) => Effect.Effect<SwapQuote, SwapFailure>
    readonly build: (swap: WalletSwap, options?: SwapOptions) => Effect.Effect<UnsignedSwap, SwapFailure>
  }
>()("@launch-registry/chain/launch/Swaps") {
  static readonly layer = Layer.effect(
    Swaps,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const pools = yield* Pools
      const fees = yield* PriorityFees

      const quoteOnCurve = Effect.fnUntraced(function* (curve: CurveSnapshot, swap: Swap) {
        const { baseMint, isMigrated } = curve.pool
        if (isComplete(curve) || isMigrated) {
          return yield* new CurveCompleted({
            ...{ baseMint, isMigrated, graduatedPool: graduatedPool(curve), venue: venueOf(curve) },
          })
        }
        if (hasTransferHook(curve.poolBytes))
          return yield* new PoolNotSwappable({ baseMint, pool: curve.address, reason: "transfer_hook" })
        const sdk = yield* Effect.promise(loadDbcSdk)
        return yield* Effect.try({
          try: () => quoteSwap(sdk, curve, swap),
          catch: (error) => {
            const largest = largestAmountIn(sdk, curve, swap)
            return largest === 0n
              ? invalidAmount(`the curve cannot fill this swap: ${(error as Error).message}`)
              : invalidAmount(`expected at most ${largest}: the curve has no more to give`)
          },
        })
      })

      const quoteOnDammV1 = Effect.fnUntraced(function* (
        curve: CurveSnapshot,
        migrated: MigratedV1Snapshot,
        swap: Swap,
      ) {
        yield* requireSwappableV1(curve, migrated, swap)
        const quoted = quoteDammV1Swap(curve, migrated, swap)
        if (quoted !== undefined && quoted.expectedAmountOut !== "0") return quoted
        const most = quoted === undefined ? unfilledDammV1(migrated, swap) : "too small"
        if (most === "too small") return yield* invalidAmount(GIVES_NOTHING)
        return yield* most === 0n
          ? invalidAmount("the pool cannot fill this swap: it has no liquidity")
          : invalidAmount(`expected at most ${most}: the vault of the pool has lent out the rest`)
      })

      const quoteOn = Effect.fnUntraced(function* (
        curve: CurveSnapshot,
        swap: Swap,
        mints: ExtraAccounts<ExtendableMint>,
      ) {
        const { migrated, migratedV1 } = curve
        if (migratedV1 !== undefined) return yield* quoteOnDammV1(curve, migratedV1, swap)
        if (migrated !== undefined) yield* requireSwappable(curve, migrated, mints)
        const quoted = migrated === undefined ? yield* quoteOnCurve(curve, swap) : quoteDammSwap(curve, migrated, swap)
        if (quoted === undefined) {
          const largest = largestDammAmountIn(migrated!, swap)
          return yield* largest === 0n
            ? invalidAmount("the pool cannot fill this swap: it has no liquidity at this price")
            : invalidAmount(`expected at most ${largest}: the price range of the pool ends there`)
        }
        if (quoted.expectedAmountOut === "0") return yield* invalidAmount(GIVES_NOTHING)
        return quoted
      })

      const quote = Effect.fn("Swaps.quote")(function* (swap: Swap) {
        const { accounts, curve } = yield* pools.getCurveWith(swap.baseMint, (facts) =>
          Promise.resolve(extendableMints(facts)),
        )
        return yield* quoteOn(curve, swap, accounts)
      })

      const build = Effect.fn("Swaps.build")(function* (swap: WalletSwap, options: SwapOptions = {}) {
        const { baseMint, signer } = swap
        const unable = [
          ...signingIssues("body.signer", signer, { "the base mint": baseMint }),
          ...feeIssues(options),
          ...fees.issuesOf(options.priorityFee),
          ...fees.issuesOfPrice(options.computeUnitPriceMicroLamports, SWAP_UNITS),
        ]
        if (unable.length > 0) return yield* new InvalidRequest({ issues: unable })
        const { accounts, curve } = yield* pools.getCurveWith(baseMint, (facts) => accountsToCheck(facts, swap))
        const quoted = yield* quoteOn(curve, swap, accounts)
        const others = { "the config": curve.pool.config, "the quote mint": curve.config.quoteMint }
        const issues = [
          ...signingIssues("body.signer", signer, others),
          ...referralIssues(curve, swap, accounts.referral),
        ]
        if (issues.length > 0) return yield* new InvalidRequest({ issues })
        const instructions = yield* Effect.promise(() => swapInstructions(curve, swap, BigInt(quoted.minimumAmountOut)))
        const contended = contendedAccounts(instructions, [signer, swap.referralTokenAccount])
        const priced = yield* fees.priceOf(options.priorityFee, contended)
        const priceOf = (limit: number) => options.computeUnitPriceMicroLamports ?? priced(limit)
        const plan = {
          ...{ feePayer: signer, instructions, signers: [], computeUnitLimit: SWAP_UNITS },
          computeUnitPriceMicroLamports: priceOf(SWAP_UNITS),
        }
        const unsigned = yield* buildTransaction(rpc, plan)
        const checked = {
          problems: swapProblems(curve, swap, { accounts, plan, quoted, rent: yield* rentOf(accounts.rent) }),
          isSimulated: false,
          unitsConsumed: null,
          logs: [],
        }
        const simulation = { willSucceed: checked.problems.length === 0, ...checked }
        if (options.simulate !== true) return { quote: quoted, unsigned, simulation }
        const run = yield* simulated(rpc, unsigned, simulation)
        const computeUnitLimit = limitOf(run)
        if (computeUnitLimit === undefined) return { quote: quoted, unsigned, simulation: run }
        const fitted = { ...plan, computeUnitLimit, computeUnitPriceMicroLamports: priceOf(computeUnitLimit) }
        return { quote: quoted, unsigned: yield* buildTransaction(rpc, fitted), simulation: run }
      })

      return Swaps.of({ quote, build })
    }),
  ).pipe(Layer.provide(PriorityFees.layer))
}

const GIVES_NOTHING = "expected a larger amount: at the price of the pool this one would give nothing"

const invalidAmount = (message: string) => InvalidRequest.at("body.amount", message)

const feeIssues = ({ computeUnitPriceMicroLamports, priorityFee }: SwapOptions) =>
  computeUnitPriceMicroLamports === undefined || priorityFee === undefined
    ? []
    : [{ path: "body.priorityFee", message: "expected either priorityFee or computeUnitPriceMicroLamports" }]

/** A limit with room above what a simulated swap used; the price moves between now and then. */
const limitOf = ({ unitsConsumed, willSucceed }: SwapSimulation): number | undefined =>
  willSucceed && unitsConsumed !== null ? Math.min(Math.ceil(unitsConsumed * 1.2) + 5_000, SWAP_UNITS) : undefined
