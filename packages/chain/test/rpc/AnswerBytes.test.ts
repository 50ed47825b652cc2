import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { answerBytesMax } from "../../src/rpc/Methods.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { type Behaviour, distinctCall, getSlot, over, reportOf, result, standInNode } from "./StandInNode.ts"
import { KEY } from "./results/SampleResults.ts"

/** An answer of this many bytes, which is sound but for its length. */
const padded =
  (value: unknown, bytes: number): Behaviour =>
  (response, { id }) => {
    const text = JSON.stringify({ jsonrpc: "2.0", id, result: value })
    response.end(`${text.slice(0, -1)}${" ".repeat(bytes - text.length)}}`)
  }

const scan = Effect.flatMap(Rpc, ({ call }) =>
  call((kit) => kit.getProgramAccounts(KEY as never, { encoding: "base64", dataSlice: { offset: 0, length: 5 } })),
)

describe("The length of an answer", () => {
  it.live("is what answers of its method may have", () =>
    Effect.gen(function* () {
      const node = yield* standInNode
      const [value, accounts] = [answerBytesMax("getSlot"), answerBytesMax("getProgramAccounts")]
      assert.isAbove(accounts, 10 * value)
      yield* Effect.gen(function* () {
        node.behave("getSlot", padded(5, value))
        assert.strictEqual(yield* getSlot, 5n)
        node.behave("getSlot", padded(5, value + 1))
        const { method, reason } = yield* Effect.flip(getSlot)
        assert.deepStrictEqual([method, reason], ["getSlot", { _tag: "TooLarge", limitBytes: value }])
        assert.lengthOf(node.calls, 2, "an endpoint that is alone is not asked again")
        const account = { lamports: 1, owner: KEY, data: ["AAECAwQ=", "base64"] }
        node.behave("getProgramAccounts", padded([{ pubkey: KEY, account }], accounts))
        assert.lengthOf(yield* scan, 1)
        node.behave("getProgramAccounts", padded([], accounts + 1))
        assert.deepStrictEqual((yield* Effect.flip(scan)).reason, { _tag: "TooLarge", limitBytes: accounts })
      }).pipe(Effect.provide(over([node.url])))
    }),
  )

  it.live("beyond that is asked of another endpoint, and not again of the same", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      const long = padded(5, answerBytesMax("getSlot") + 1)
      yield* Effect.gen(function* () {
        for (const node of [primary, backup]) node.behave("getSlot", long)
        assert.strictEqual((yield* Effect.flip(getSlot)).reason._tag, "TooLarge")
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [1, 1])
        assert.deepInclude(yield* reportOf("primary"), { state: "closed", errors: { TooLarge: 1 } })
        backup.behave("getSlot", result(5))
        assert.strictEqual(yield* getSlot, 5n)
        assert.strictEqual(yield* distinctCall(1), 890_880n)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )
})
