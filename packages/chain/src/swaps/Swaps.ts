import type { NotFound } from "@launch-registry/domain/http/NotFound"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { CurveCompleted, PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import type { SwapQuote, SwapSimulation } from "@launch-registry/domain/pools/Pool"
import { refuseIssues } from "../build/RefuseIssues.ts"
import { Context, Effect, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import type { ExtraAccounts } from "../accounts/AccountReads.ts"
import { contendedAccounts } from "../build/ContendedAccounts.ts"
import type { CurveSnapshot } from "../dbc/CurveSnapshot.ts"
import { fillOrFault, leastOf, swapQuote } from "../venues/Fill.ts"
import { Pools } from "../pools/Pools.ts"
import { PriorityFees } from "../build/PriorityFees.ts"
import { rentOf } from "../accounts/Rent.ts"
import { signingIssues } from "../build/SigningKeys.ts"
import { sidesOf, type Swap, type WalletSwap } from "../venues/TokenPair.ts"
import { accountsToCheck, referralIssues, swapProblems } from "./SwapChecks.ts"
import { swapInstructions } from "./SwapInstructions.ts"
import { simulated } from "./SwapSimulations.ts"
import { extendableMints, type ExtendableMint } from "../venues/TransferExtensions.ts"
import type { PaymentOptions } from "../build/LaunchStep.ts"
import { buildTransaction, type UnsignedTransaction } from "../build/UnsignedTransaction.ts"

/** Measured: 51-62k, with new token accounts 68-84k; on DAMM v1 120-135k. */
const SWAP_UNITS = 200_000

/** How the transaction of a swap is built. */
export interface SwapOptions extends PaymentOptions {
  /** Instead of a priority fee. */
  readonly computeUnitPriceMicroLamports?: bigint
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
>()("@launch-registry/chain/swaps/Swaps") {
  static readonly layer = Layer.effect(
    Swaps,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const pools = yield* Pools
      const fees = yield* PriorityFees

      const quoteOn = Effect.fnUntraced(function* (
        curve: CurveSnapshot,
        swap: Swap,
        mints: ExtraAccounts<ExtendableMint>,
      ) {
        const { address, end, feeToken, name, sqrtPrice, ...venue } = curve.venue
        yield* venue.check(swap, mints)
        const fill = fillOrFault(yield* venue.quote(swap), swap.amountIn, sidesOf(curve, swap).input, end)
        if ("message" in fill) return yield* new InvalidRequest({ issues: [{ path: "body.amount", ...fill }] })
        const { base, quote } = curve
        const feeMint = feeToken(swap).mint
        const minimumAmountOut = leastOf(fill, swap.slippageBps)
        return swapQuote({ venue: name, pool: address, sqrtPrice, feeMint, base, quote }, fill, {
          ...{ ...swap, minimumAmountOut },
        })
      })

      const quote = Effect.fn("Swaps.quote")(function* (swap: Swap) {
        const { accounts, curve } = yield* pools.getCurveWith(swap.baseMint, (facts) =>
          Promise.resolve(extendableMints(facts)),
        )
        return yield* quoteOn(curve, swap, accounts)
      })

      const build = Effect.fn("Swaps.build")(function* (swap: WalletSwap, options: SwapOptions = {}) {
        const { baseMint, signer } = swap
        yield* refuseIssues([
          ...signingIssues("body.signer", signer, { "the base mint": baseMint }),
          ...feeIssues(options),
          ...fees.issuesOf(options.priorityFee),
          ...fees.issuesOfPrice(options.computeUnitPriceMicroLamports, SWAP_UNITS),
        ])
        const { accounts, curve } = yield* pools.getCurveWith(baseMint, (facts) => accountsToCheck(facts, swap))
        const quoted = yield* quoteOn(curve, swap, accounts)
        const others = { "the config": curve.pool.config, "the quote mint": curve.config.quoteMint }
        yield* refuseIssues([
          ...signingIssues("body.signer", signer, others),
          ...referralIssues(curve, swap, accounts.referral),
        ])
        const instructions = yield* Effect.promise(() => swapInstructions(curve, swap, BigInt(quoted.minimumAmountOut)))
        const contended = contendedAccounts(instructions, [signer, swap.referralTokenAccount])
        const priced = yield* fees.priceOf(options.priorityFee, contended)
        const priceOf = (limit: number) => options.computeUnitPriceMicroLamports ?? priced(limit)
        const plan = {
          ...{ feePayer: signer, instructions, signers: [], computeUnitLimit: SWAP_UNITS },
          version: options.transactionVersion,
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
        const { limits, simulation: run } = yield* simulated(rpc, unsigned, checked.problems)
        if (limits === undefined) return { quote: quoted, unsigned, simulation: run }
        const computeUnitLimit = Math.min(limits.computeUnitLimit, SWAP_UNITS)
        const fitted = {
          ...plan,
          ...limits,
          computeUnitLimit,
          computeUnitPriceMicroLamports: priceOf(computeUnitLimit),
        }
        return { quote: quoted, unsigned: yield* buildTransaction(rpc, fitted), simulation: run }
      })

      return Swaps.of({ quote, build })
    }),
  ).pipe(Layer.provide(PriorityFees.layer))
}

const feeIssues = ({ computeUnitPriceMicroLamports, priorityFee }: SwapOptions) =>
  computeUnitPriceMicroLamports === undefined || priorityFee === undefined
    ? []
    : [{ path: "body.priorityFee", message: "expected either priorityFee or computeUnitPriceMicroLamports" }]
