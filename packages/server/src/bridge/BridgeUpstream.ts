import { BridgeUnavailable } from "@launch-registry/domain/bridge/BridgeErrors"
import { Context, Effect, Layer } from "effect"
import type { IntentsUnavailable } from "./intents/IntentsErrors.ts"
import { isIntentsUnavailable, upstreamBreaker, type UpstreamState } from "./UpstreamBreaker.ts"
import { type BudgetRate, upstreamBudget } from "./UpstreamBudget.ts"

/** Of what can wait; the service documents no limit, and asks for patience when it has one. */
const WATCH_RATE: BudgetRate = { perSecond: 2, burst: 2 }
const QUOTE_RATE: BudgetRate = { perSecond: 10, burst: 20 }
/** What callers are told when nobody else said how long to wait. */
const RETRY_SECONDS = 5

const REASONS: Readonly<Record<IntentsUnavailable["reason"], string>> = {
  network: "it does not answer",
  deadline: "it does not answer in time",
  status: "it has a fault",
  rate_limited: "it asks for patience",
  unauthorized: "it does not take the API key of this service",
  redirect: "it has moved",
  too_large: "its answer cannot be read",
  malformed: "its answer cannot be read",
}

const secondsOf = (millis: number): number => Math.max(1, Math.ceil(millis / 1_000))

/** The way to the swap service: who may ask it when, and what is remembered of its answers. */
export class BridgeUpstream extends Context.Service<
  BridgeUpstream,
  {
    /** A request that somebody waits for: refused at once when the swap service is known to be away. */
    readonly now: <A, E>(
      request: Effect.Effect<A, E | IntentsUnavailable>,
    ) => Effect.Effect<A, Exclude<E, IntentsUnavailable> | BridgeUnavailable>
    /** How many requests may be made in the background, up to `wanted`. What is not used is to be given back. */
    readonly allowance: (wanted: number) => Effect.Effect<number>
    readonly giveBack: (unused: number) => Effect.Effect<void>
    /** A request of the background, that an allowance was taken for. */
    readonly allowed: <A, E>(
      request: Effect.Effect<A, E | IntentsUnavailable>,
    ) => Effect.Effect<A, E | IntentsUnavailable>
    /** What a refusal means that no caller can do anything about. */
    readonly refused: Effect.Effect<never, BridgeUnavailable>
    readonly state: Effect.Effect<UpstreamState>
  }
>()("@launch-registry/server/bridge/BridgeUpstream") {
  static readonly layer = (rates: { readonly watch?: BudgetRate; readonly quote?: BudgetRate } = {}) =>
    Layer.effect(
      BridgeUpstream,
      Effect.gen(function* () {
        const breaker = yield* upstreamBreaker
        const watch = yield* upstreamBudget("watch", rates.watch ?? WATCH_RATE)
        const quotes = yield* upstreamBudget("quote", rates.quote ?? QUOTE_RATE)

        const unavailable = (reason: string, waitMillis: number | undefined) =>
          new BridgeUnavailable({
            reason,
            retryAfterSeconds: waitMillis === undefined ? RETRY_SECONDS : secondsOf(waitMillis),
          })

        const mayAsk = Effect.gen(function* () {
          const { isAway, waitMillis } = yield* breaker.state
          if (waitMillis > 0) {
            const reason = isAway ? REASONS.network : REASONS.rate_limited
            return yield* Effect.fail(unavailable(reason, waitMillis))
          }
          if ((yield* quotes.take(1)) === 0)
            return yield* Effect.fail(unavailable("too many quotes are asked for", 1_000))
        })

        const now = <A, E>(request: Effect.Effect<A, E | IntentsUnavailable>) =>
          Effect.andThen(mayAsk, breaker.observed(request)).pipe(
            Effect.catchIf(isIntentsUnavailable, ({ reason, retryAfterMillis }) =>
              Effect.fail(unavailable(REASONS[reason], retryAfterMillis)),
            ),
          )

        const allowance = Effect.fnUntraced(function* (wanted: number) {
          if (wanted <= 0) return 0
          const { isAway, waitMillis } = yield* breaker.state
          if (waitMillis > 0) return 0
          return yield* watch.take(isAway ? 1 : wanted)
        })

        return BridgeUpstream.of({
          now: now as BridgeUpstream["Service"]["now"],
          allowance,
          giveBack: watch.giveBack,
          allowed: breaker.observed,
          refused: Effect.fail(unavailable("it refuses the request", undefined)),
          state: breaker.state,
        })
      }),
    )
}
