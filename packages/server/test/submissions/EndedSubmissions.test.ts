import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { status, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { onTwoNodes, read, round, rounds, stateOf, submitted } from "./TwoNodes.ts"

describe("A submission", () => {
  it.live(
    "expires when the finalized chain is past its height and no endpoint knows it, and is not sent any more",
    () =>
      onTwoNodes((chain, [primary]) =>
        Effect.gen(function* () {
          const { signature } = yield* submitted(chain)
          chain.advance(151)
          chain.valid.clear()
          const sent = chain.sentOf(signature).length
          yield* round
          assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
          chain.advance(30)
          // What one endpoint does not say, another one's denial does not settle.
          primary.behave("getSignatureStatuses", status(500))
          yield* round
          assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
          chain.behave(primary)
          yield* untilState("primary", "closed")
          yield* round
          assert.deepStrictEqual(yield* stateOf(signature), ["expired", true])
          assert.lengthOf(chain.sentOf(signature), sent)
          const sql = yield* SqlClient
          assert.deepStrictEqual(yield* sql`select transaction from launch_submissions`, [{ transaction: null }])
        }),
      ),
  )

  it.live("that landed after its last look is found before it expires", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature } = yield* submitted(chain)
        chain.land(signature, { confirmationStatus: "finalized" })
        chain.advance(1_000)
        chain.valid.clear()
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
      }),
    ),
  )

  it.live("does not expire by the height that the caller sent while its blockhash is valid", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature } = yield* submitted(chain, { lastValidBlockHeight: "5001" })
        assert.strictEqual((yield* read(signature)).lastValidBlockHeight, "5001")
        chain.advance(32)
        const sent = chain.sentOf(signature).length
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
        yield* round
        assert.isAbove(chain.sentOf(signature).length, sent)
      }),
    ),
  )

  it.live("that fails on chain says so in words, and is final with its slot", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature } = yield* submitted(chain)
        const err = { InstructionError: [0, { Custom: 1 }] }
        chain.land(signature, { err, confirmationStatus: "confirmed" })
        yield* round
        assert.deepInclude(yield* read(signature), { state: "failed", isFinal: false, slot: "6000" })
        chain.land(signature, { err, confirmationStatus: "finalized" })
        yield* round
        const { error, ...rest } = yield* read(signature)
        assert.deepInclude(rest, { state: "failed", isFinal: true, slot: "6000" })
        assert.deepInclude(error, { code: "ResultWithNegativeLamports", customCode: 1, instruction: 0 })
      }),
    ),
  )

  it.live("that a fork takes back is pending and sent again, and may land in another slot", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature, transaction } = yield* submitted(chain)
        chain.land(signature)
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["processed", false])
        chain.landed.clear()
        chain.advance(1)
        const sent = chain.sentOf(signature).length
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
        assert.isAbove(chain.sentOf(signature).length, sent)
        assert.deepStrictEqual([...new Set(chain.sentOf(signature))], [transaction])
        chain.land(signature, { confirmationStatus: "finalized" })
        yield* round
        assert.deepInclude(yield* read(signature), { state: "finalized", isFinal: true, slot: "6001" })
      }),
    ),
  )

  it.live("is deleted once it is no longer kept, and never before it has ended", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { signature } = yield* submitted(chain)
        const { signature: open } = yield* submitted(chain)
        chain.land(signature, { confirmationStatus: "finalized" })
        yield* round
        yield* sql`update launch_submissions set settled_at = settled_at - interval '2 days', created_at = created_at - interval '2 days'`
        const { sweep } = yield* rounds
        const DAY = 86_400_000
        assert.strictEqual(yield* sweep(3 * DAY, 10), 0)
        assert.strictEqual(yield* sweep(DAY, 10), 1)
        assert.deepStrictEqual(yield* sql`select signature from launch_submissions`, [{ signature: open }])
      }),
    ),
  )
})
