import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import type { BridgeRecords } from "@launch-registry/domain/bridge/BridgeRecords"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { bridgeDeposits } from "./BridgeDeposits.ts"
import { bridgeQuotes } from "./BridgeQuotes.ts"
import { bridgeSwaps } from "./BridgeSwaps.ts"
import { bridgeTokens } from "./BridgeTokens.ts"
import { dueLooks } from "./FollowSwaps.ts"
import { intentsClient } from "./intents/IntentsClient.ts"
import { sweepBridge } from "./SweepBridge.ts"
import { type Rate, upstreamAt } from "./Upstream.ts"

/** Where swaps are asked for. */
export interface BridgeOptions {
  readonly url: string
  readonly apiKey?: Redacted.Redacted
  /** Public key that quotes are signed with, as `ed25519:<base58>`; absent for that of 1Click. */
  readonly quoteKey?: string
  /** Rate limits of all processes together: for polls and deposits, and for quotes. */
  readonly rates?: { readonly watch?: Rate; readonly quote?: Rate }
  /** For one answer of the swap service. */
  readonly deadlineMillis?: number
}

/** The parts of bridging over the swap service of `options`. */
const partsOf = Effect.fnUntraced(function* (options: BridgeOptions) {
  const { apiKey, quoteKey, rates } = options
  const intents = intentsClient(options)
  const upstream = yield* upstreamAt(rates)
  const tokens = yield* bridgeTokens(intents, upstream)
  const swaps = yield* bridgeSwaps(upstream)
  return {
    tokens,
    swaps,
    quotes: bridgeQuotes({ intents, upstream, tokens, swaps, quoteKey, hasApiKey: apiKey !== undefined }),
    deposits: yield* bridgeDeposits(swaps),
    /** The state of the swap service, as all processes together have seen it. */
    upstream: upstream.states,
    /** Claims up to so many swaps that are due. */
    watch: yield* dueLooks(intents, upstream),
    /** Deletes a batch of unpaid swaps; returns how many. */
    sweep: yield* sweepBridge,
  }
})
export type BridgeParts = Effect.Success<ReturnType<typeof partsOf>>

/** Bridging, where it is switched on. */
export class Bridge extends Context.Service<Bridge, { readonly parts: Effect.Effect<BridgeParts, NotConfigured> }>()(
  "@launch-registry/bridge/Bridge",
) {}

const off = Layer.succeed(Bridge, {
  parts: Effect.suspend(() => Effect.fail(new NotConfigured({ feature: "bridge", reason: "INTENTS_URL is not set" }))),
})

const on = (options: BridgeOptions) =>
  Layer.effect(
    Bridge,
    Effect.map(partsOf(options), (parts) => ({ parts: Effect.succeed(parts) })),
  )

/** Bridging over the swap service of `options`; without one, every part says that it is switched off. */
export const bridge = (options: Option.Option<BridgeOptions>): Layer.Layer<Bridge, never, SqlClient | BridgeRecords> =>
  Option.match(options, { onNone: () => off, onSome: on })
