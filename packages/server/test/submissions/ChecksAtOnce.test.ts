import { assert, it } from "@effect/vitest"
import type { SignedTransaction } from "@launch-registry/chain/submissions/SignedTransaction"
import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { RpcError } from "@launch-registry/chain/rpc/RpcError"
import { Deferred, Effect, Fiber } from "effect"
import { submissionChecks } from "../../src/submissions/SubmissionChecks.ts"

const SUBMISSIONS = 1_000
const [AT_ONCE, WAITING] = [32, 224]
/** Height, blockhash, and simulation or balance of each. */
const CALLS = 3

it.effect(
  "Few submissions are checked at once, few wait, and the others are refused instead of being stored unchecked",
  () =>
    Effect.gen(function* () {
      const isAnswered = yield* Deferred.make<void>()
      let [asked, most] = [0, 0]
      const call = () =>
        Effect.gen(function* () {
          most = Math.max(most, ++asked)
          yield* Deferred.await(isAnswered)
          asked--
          return yield* new RpcError({ method: "any", reason: { _tag: "NoEndpoint" } })
        })
      const rpc = { call, onEach: () => Effect.succeed([]) } as unknown as Rpc["Service"]
      const check = submissionChecks(rpc)
      const signed = { blockhash: "b", signature: "s", signers: ["w"], programs: [], bytes: new Uint8Array() }
      const choices = { lastValidBlockHeight: undefined, skipPreflight: false, pendingSignatures: 0n }
      const checks = yield* Effect.forEach(Array.from({ length: SUBMISSIONS }), () =>
        Effect.forkChild(Effect.result(check(signed as unknown as SignedTransaction, choices))),
      )
      for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
      yield* Deferred.succeed(isAnswered, undefined)
      const results = yield* Effect.forEach(checks, Fiber.join)
      assert.isAtMost(most, AT_ONCE * CALLS)
      const refused = results.filter((result) => result._tag === "Failure").map(({ failure }) => failure._tag)
      assert.deepStrictEqual([...new Set<string>(refused)], ["Busy"])
      assert.strictEqual(results.length - refused.length, AT_ONCE + WAITING)
    }),
)
