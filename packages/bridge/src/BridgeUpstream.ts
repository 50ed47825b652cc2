import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Context, Effect, Layer } from "effect"
import type { IntentsUnavailable } from "./intents/IntentsErrors.ts"
import { isIntentsUnavailable, upstreamBreaker, type UpstreamCall, type UpstreamState } from "./UpstreamBreaker.ts"
import { type BudgetRate, type UpstreamBudget, upstreamBudget } from "./UpstreamBudget.ts"
import { reasonText } from "./UpstreamReason.ts"

/** Of background requests. The service documents no limit; it answers 429 where it has one. */
const WATCH_RATE: BudgetRate = { perSecond: 2, burst: 2 }
const QUOTE_RATE: BudgetRate = { perSecond: 10, burst: 20 }
/** The list is asked for every few minutes; more often only where there has never been one. */
const TOKENS_RATE: BudgetRate = { perSecond: 1, burst: 10 }
/** Share of the quote rate for dry quotes: they cost nothing, and must not crowd out real ones. */
const DRY_SHARE = 0.5
/** Share of the background rate for swaps without a deposit: anyone can create any number of them. */
const UNPAID_SHARE = 0.75
/** Retry-After for callers when the swap service gave none. */
const RETRY_SECONDS = 5

const secondsOf = (millis: number): number => Math.max(1, Math.ceil(millis / 1_000))

/** What a caller waits for. */
export type AskedNow = "quote" | "dry" | "tokens"

/** Requests that may be made in the background. */
export interface Allowance {
  readonly count: number
  /** Unused requests have to be given back. */
  readonly giveBack: (unused: number) => Effect.Effect<void>
}

/** The state of the swap service, as calls of one kind have seen it. */
export interface CallState extends UpstreamState {
  readonly call: UpstreamCall
}

const NOTHING: Allowance = { count: 0, giveBack: () => Effect.void }

/** Access to the swap service: rates, breakers, and the memory of its answers. */
export class BridgeUpstream extends Context.Service<
  BridgeUpstream,
  {
    /** A request that a caller waits for: refused at once while the breaker is open. */
    readonly now: <A, E>(
      asked: AskedNow,
      request: Effect.Effect<A, E | IntentsUnavailable>,
    ) => Effect.Effect<A, Exclude<E, IntentsUnavailable> | Unavailable>
    /** Permission for up to `wanted` requests in the background. */
    readonly allowance: (wanted: number) => Effect.Effect<Allowance>
    /** A background request whose allowance was taken. */
    readonly allowed: <A, E>(
      request: Effect.Effect<A, E | IntentsUnavailable>,
    ) => Effect.Effect<A, E | IntentsUnavailable>
    /** Reports a refusal that no caller can fix. */
    readonly refused: Effect.Effect<never, Unavailable>
    /** Of these, for up to `wanted` polls of swaps without a deposit. */
    readonly unpaid: (wanted: number) => Effect.Effect<Allowance>
    readonly stateOf: (call: UpstreamCall) => Effect.Effect<UpstreamState>
    readonly states: Effect.Effect<ReadonlyArray<CallState>>
  }
>()("@launch-registry/bridge/BridgeUpstream") {
  static readonly layer = (rates: { readonly watch?: BudgetRate; readonly quote?: BudgetRate } = {}) =>
    Layer.effect(
      BridgeUpstream,
      Effect.gen(function* () {
        const breakers = {
          watch: yield* upstreamBreaker("watch"),
          quote: yield* upstreamBreaker("quote"),
          tokens: yield* upstreamBreaker("tokens"),
        }
        const quoteRate = rates.quote ?? QUOTE_RATE
        const dryRate = {
          perSecond: quoteRate.perSecond * DRY_SHARE,
          burst: Math.max(1, quoteRate.burst * DRY_SHARE),
        }
        const watchRate = rates.watch ?? WATCH_RATE
        const watch = yield* upstreamBudget("watch", watchRate)
        const unpaidLooks = yield* upstreamBudget("unpaid", {
          perSecond: watchRate.perSecond * UNPAID_SHARE,
          burst: Math.max(1, watchRate.burst * UNPAID_SHARE),
        })
        const quotes = yield* upstreamBudget("quote", quoteRate)
        const budgets: Readonly<Record<AskedNow, ReadonlyArray<UpstreamBudget>>> = {
          quote: [quotes],
          // A dry quote is one of all quotes as well: together they keep to the rate.
          dry: [yield* upstreamBudget("dry", dryRate), quotes],
          tokens: [yield* upstreamBudget("tokens", TOKENS_RATE)],
        }

        const unavailable = (reason: string, waitMillis: number | undefined) =>
          new Unavailable({
            service: "bridge",
            reason,
            retryAfterSeconds: waitMillis === undefined ? RETRY_SECONDS : secondsOf(waitMillis),
          })

        const take = Effect.fnUntraced(function* (asked: AskedNow) {
          const taken: Array<UpstreamBudget> = []
          for (const budget of budgets[asked]) {
            if ((yield* budget.take(1)) === 0) {
              yield* Effect.forEach(taken, ({ giveBack }) => giveBack(1), { discard: true })
              return false
            }
            taken.push(budget)
          }
          return true
        })

        const now = <A, E>(asked: AskedNow, request: Effect.Effect<A, E | IntentsUnavailable>) =>
          Effect.gen(function* () {
            const breaker = breakers[asked === "dry" ? "quote" : asked]
            const { isAway, isOpen, reason, release, waitMillis } = yield* breaker.enter
            if (!isOpen)
              return yield* Effect.fail(
                unavailable(reasonText((isAway ? reason : undefined) ?? "rate_limited"), waitMillis),
              )
            if (!(yield* take(asked))) {
              yield* release
              return yield* Effect.fail(unavailable("too many quotes are asked for", 1_000))
            }
            // A caller that disconnects ends its probe without a result.
            return yield* Effect.onInterrupt(breaker.observed(request), () => release)
          }).pipe(
            Effect.catchIf(isIntentsUnavailable, ({ reason, retryAfterMillis }) =>
              Effect.fail(unavailable(reasonText(reason), retryAfterMillis)),
            ),
          )

        const allowance = Effect.fnUntraced(function* (wanted: number) {
          if (wanted <= 0) return NOTHING
          const { isAway, isOpen, release } = yield* breakers.watch.enter
          if (!isOpen) return NOTHING
          const count = yield* watch.take(isAway ? 1 : wanted)
          if (count === 0) yield* release
          const giveBack = (unused: number) =>
            unused <= 0 ? Effect.void : Effect.andThen(watch.giveBack(unused), unused === count ? release : Effect.void)
          return { count, giveBack }
        })

        const unpaid = Effect.fnUntraced(function* (wanted: number) {
          if (wanted <= 0) return NOTHING
          return { count: yield* unpaidLooks.take(wanted), giveBack: unpaidLooks.giveBack }
        })

        const states = Effect.forEach(["watch", "quote", "tokens"] as const, (call) =>
          Effect.map(breakers[call].state, (one) => ({ ...one, call })),
        )

        return BridgeUpstream.of({
          now: now as BridgeUpstream["Service"]["now"],
          allowance,
          allowed: breakers.watch.observed,
          refused: Effect.fail(unavailable("it refuses the request", undefined)),
          unpaid,
          stateOf: (call) => breakers[call].state,
          states,
        })
      }),
    )
}
