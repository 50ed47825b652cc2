import { assert, layer } from "@effect/vitest"
import type { BridgeQuoteRequest } from "@launch-registry/domain/bridge/BridgeQuote"
import { type Caller, CurrentCaller } from "@launch-registry/domain/access/Caller"
import { Effect } from "effect"
import { Bridge } from "../src/Bridge.ts"
import { EVM_USER, quoteBody, SOL_USER, TestBridge } from "./TestBridge.ts"

const OTHER: Caller = { _tag: "Wallet", address: "So11111111111111111111111111111111111111112", isAdmin: false }
const OWNER: Caller = { _tag: "Wallet", address: SOL_USER, isAdmin: false }

/** How a quote of a caller ends. */
const outcomeOf = (caller: Caller, fields: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const { quotes } = yield* Effect.orDie((yield* Bridge).parts)
    const request = quoteBody(fields) as unknown as BridgeQuoteRequest
    const result = yield* Effect.result(Effect.provideService(quotes.quote(request, undefined), CurrentCaller, caller))
    return result._tag === "Success" ? "quoted" : result.failure._tag
  })

layer(TestBridge.layer())("A quote that becomes a transfer", (it) => {
  it.effect("is for the wallet that signed it, where its user is a Solana address", () =>
    Effect.gen(function* () {
      const real = { dry: false, userAddress: SOL_USER }
      assert.strictEqual(yield* outcomeOf(OTHER, real), "Forbidden")
      assert.strictEqual(yield* outcomeOf(OWNER, real), "quoted")
      assert.strictEqual(yield* outcomeOf(OTHER, { ...real, dry: true }), "quoted")
      assert.strictEqual(yield* outcomeOf(OTHER, { dry: false, userAddress: EVM_USER }), "quoted")
      assert.strictEqual(yield* outcomeOf({ _tag: "Anyone" }, real), "quoted")
    }),
  )
})
