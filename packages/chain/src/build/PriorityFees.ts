import { solText } from "@launch-registry/domain/amounts/AmountText"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { PriorityFee, PriorityLevel } from "@launch-registry/domain/launch/PriorityFee"
import type { Address } from "@solana/kit"
import { Cache, Context, Effect, Exit, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { chainUnavailable } from "../accounts/AccountReads.ts"
import { DEFAULT_PRICE_MICRO_LAMPORTS } from "./UnsignedTransaction.ts"

/** Fees change from block to block; a launch waits for none. */
const FRESH_MILLIS = 800
const ACCOUNTS_MAX = 1_000
const MICRO = 1_000_000n
/** Percent of the recent fees that are no higher. */
const PERCENTILES: Readonly<Record<Exclude<PriorityLevel, "none">, number>> = { low: 25, medium: 50, high: 75 }

/** The most that a transaction pays for its compute units, in lamports, whatever a request asks for; 0.01 SOL by default. */
export const PriorityFeeMax = Context.Reference<bigint>("@launch-registry/chain/build/PriorityFeeMax", {
  defaultValue: () => 10_000_000n,
})

/** The price of a compute unit in micro-lamports, for a transaction with this limit of them. */
export type PriceOf = (computeUnitLimit: number) => bigint

/**
 * What a compute unit costs to be scheduled earlier. Levels are percentiles of what was paid lately for transactions that write
 * the same accounts (`getRecentPrioritizationFees`), read once for all callers within 0.8 s.
 */
export class PriorityFees extends Context.Service<
  PriorityFees,
  {
    /** Makes a request for low, medium and high alone. `accounts`: those that others write as well; none: the whole network. */
    readonly priceOf: (
      fee: PriorityFee | undefined,
      accounts: ReadonlyArray<string>,
    ) => Effect.Effect<PriceOf, Unavailable>
    /** Why a fee of the request cannot be taken. */
    readonly issuesOf: (fee: PriorityFee | undefined) => ReadonlyArray<InvalidIssue>
    /** Why a price of the request, in micro-lamports for each unit of the limit, cannot be taken instead of a fee. */
    readonly issuesOfPrice: (price: bigint | undefined, computeUnitLimit: number) => ReadonlyArray<InvalidIssue>
  }
>()("@launch-registry/chain/build/PriorityFees") {
  static readonly layer = Layer.effect(
    PriorityFees,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const maximum = yield* PriorityFeeMax

      const read = Effect.fn("PriorityFees.read")(function* (key: string) {
        const accounts = key === "" ? [] : (key.split(",") as ReadonlyArray<string> as ReadonlyArray<Address>)
        const recent = yield* rpc
          .call((kit) => kit.getRecentPrioritizationFees(accounts))
          .pipe(Effect.catch(chainUnavailable))
        return recent
          .map(({ prioritizationFee }) => BigInt(prioritizationFee))
          .toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0))
      })
      const recentFees = yield* Cache.makeWith(read, {
        capacity: ACCOUNTS_MAX,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? FRESH_MILLIS : 0),
      })

      const capped =
        (price: bigint): PriceOf =>
        (computeUnitLimit) => {
          const highest = atMost(maximum)(computeUnitLimit)
          return price < highest ? price : highest
        }

      const priceOf = Effect.fnUntraced(function* (fee: PriorityFee | undefined, accounts: ReadonlyArray<string>) {
        if (fee === undefined) return capped(DEFAULT_PRICE_MICRO_LAMPORTS)
        if (fee === "none") return capped(0n)
        if (typeof fee === "bigint") return atMost(fee < maximum ? fee : maximum)
        const paid = yield* Cache.get(recentFees, accounts.toSorted().join(","))
        const level = percentile(paid, PERCENTILES[fee])
        // A level never costs less than a request without one.
        return capped(level > DEFAULT_PRICE_MICRO_LAMPORTS ? level : DEFAULT_PRICE_MICRO_LAMPORTS)
      })

      return PriorityFees.of({
        priceOf,
        issuesOf: (fee) =>
          typeof fee === "bigint" && fee > maximum
            ? [{ path: "body.priorityFee", message: `expected at most ${solText(maximum)}, the limit of this service` }]
            : [],
        issuesOfPrice: (price, computeUnitLimit) => {
          const highest = atMost(maximum)(computeUnitLimit)
          if (price === undefined || price <= highest) return []
          const message = `expected at most ${highest}: ${computeUnitLimit} units then cost ${solText(maximum)}, the limit of this service`
          return [{ path: "body.computeUnitPriceMicroLamports", message }]
        },
      })
    }),
  )
}

/** The price with which all units of the limit cost no more than `lamports`. */
const atMost =
  (lamports: bigint): PriceOf =>
  (computeUnitLimit) =>
    (lamports * MICRO) / BigInt(computeUnitLimit)

/** By nearest rank; 0 of none. */
const percentile = (sorted: ReadonlyArray<bigint>, percent: number): bigint =>
  sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)] ?? 0n
