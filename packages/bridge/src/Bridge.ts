import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import type { BridgeRecords } from "@launch-registry/domain/transactions/BridgeRecords"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { BridgeDeposits } from "./BridgeDeposits.ts"
import { BridgeQuotes } from "./BridgeQuotes.ts"
import { BridgeSwaps } from "./BridgeSwaps.ts"
import { BridgeTokens } from "./BridgeTokens.ts"
import { dueLooks, type Look } from "./FollowSwaps.ts"
import { IntentsClient } from "./intents/IntentsClient.ts"
import { sweepBridge } from "./SweepBridge.ts"
import { type CallState, type Rate, Upstream } from "./Upstream.ts"

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

/** The parts of bridging. */
export interface BridgeParts {
  readonly tokens: BridgeTokens["Service"]
  readonly quotes: BridgeQuotes["Service"]
  readonly swaps: BridgeSwaps["Service"]
  readonly deposits: BridgeDeposits["Service"]
  /** The state of the swap service, as all processes together have seen it. */
  readonly upstream: Effect.Effect<ReadonlyArray<CallState>>
  /** Claims up to so many swaps that are due. */
  readonly watch: (wanted: number) => Effect.Effect<ReadonlyArray<Look>>
  /** Deletes a batch of unpaid swaps; returns how many. */
  readonly sweep: Effect.Effect<number>
}

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
    Effect.gen(function* () {
      const parts: BridgeParts = {
        tokens: yield* BridgeTokens,
        quotes: yield* BridgeQuotes,
        swaps: yield* BridgeSwaps,
        deposits: yield* BridgeDeposits,
        upstream: (yield* Upstream).states,
        watch: yield* dueLooks,
        sweep: yield* sweepBridge,
      }
      return { parts: Effect.succeed(parts) }
    }),
  ).pipe(
    Layer.provide(BridgeQuotes.layer({ hasApiKey: options.apiKey !== undefined, quoteKey: options.quoteKey })),
    Layer.provide(BridgeDeposits.layer),
    Layer.provide(Layer.mergeAll(BridgeTokens.layer, BridgeSwaps.layer)),
    Layer.provide(Layer.mergeAll(Upstream.layer(options.rates), IntentsClient.layer(options))),
  )

/** Bridging over the swap service of `options`; without one, every part says that it is switched off. */
export const bridge = (options: Option.Option<BridgeOptions>): Layer.Layer<Bridge, never, SqlClient | BridgeRecords> =>
  Option.match(options, { onNone: () => off, onSome: on })
