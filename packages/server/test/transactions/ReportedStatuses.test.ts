import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { age, AGED, askOf, endOf, EXPIRED, indexTradeOf, nextSignature, read, record } from "./Expiring.ts"
import { failed, landed, processed, recordNode, signature } from "./RecordNode.ts"

type Recorded = Effect.Success<ReturnType<typeof record>>

/** Reports the status of a record, as its client does; returns the record. */
const report = Effect.fnUntraced(function* ({ id }: Recorded, status: string, txHash?: string) {
  const { request } = yield* TestServer
  const { body } = yield* request(`/api/transactions/${id}/status`, { method: "PATCH", json: { status, txHash } })
  assert.strictEqual(body.transaction.status, status, JSON.stringify(body))
  return body.transaction
})

/** A new record with a reported status. */
const reported = Effect.fnUntraced(function* (status: string, fields: Readonly<Record<string, unknown>> = {}) {
  const made = yield* record(fields)
  return Object.assign(made, { transaction: yield* report(made, status) })
})

/** Whether the chain is still asked about a record. */
const isOpen = ({ id }: Recorded) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return (yield* sql`select from transactions where id = ${id}::uuid and is_reported`).length > 0
  })

const FAILED = ["failed", "failed on chain: InstructionError 2, Custom 6002"]
const SUCCESS = ["success", null]
const REPORTED_FAILED = ["failed", null]

layer(TestServer.layer(), { excludeTestServices: true })("A reported status", (it) => {
  it.effect("is replaced by the outcome on chain, once that is confirmed", () =>
    Effect.gen(function* () {
      const [bad, good] = [yield* reported("success"), yield* reported("failed")]
      const young = { [bad.txHash]: { ...failed, confirmationStatus: "processed" }, [good.txHash]: processed }
      yield* askOf([yield* recordNode({ statuses: young })])
      assert.deepStrictEqual([yield* endOf(bad), yield* endOf(good)], [SUCCESS, REPORTED_FAILED])
      yield* askOf([yield* recordNode({ statuses: { [bad.txHash]: failed, [good.txHash]: landed } })])
      assert.deepStrictEqual([yield* endOf(bad), yield* endOf(good)], [FAILED, SUCCESS])
      assert.notStrictEqual((yield* read(bad)).updatedAt, bad.transaction.updatedAt)
      // Settled: the chain is not asked about them again.
      yield* askOf([yield* recordNode({ statuses: { [bad.txHash]: landed, [good.txHash]: failed } })])
      assert.deepStrictEqual([yield* endOf(bad), yield* endOf(good)], [FAILED, SUCCESS])
    }),
  )

  it.effect("is looked up with the hash that was reported", () =>
    Effect.gen(function* () {
      const [one, sent] = [yield* record(), nextSignature()]
      yield* report(one, "success", sent)
      yield* askOf([yield* recordNode({ statuses: { [one.txHash]: landed, [sent]: failed } })])
      assert.deepStrictEqual(yield* endOf(one), FAILED)
    }),
  )

  it.effect("of success ends as failed when the transaction can no longer land; a reported failure stays", () =>
    Effect.gen(function* () {
      const past = { lastValidBlockHeight: 3_999 }
      const [never, gone, present] = [
        yield* reported("success", past),
        yield* reported("failed", past),
        yield* reported("success", { lastValidBlockHeight: 4_000 }),
      ]
      const [aged, fresh] = [yield* reported("success"), yield* reported("success")]
      yield* age(aged, 2)
      // One that lags might know them.
      yield* askOf([yield* recordNode(), yield* recordNode({ slot: 4_999 })])
      assert.deepStrictEqual([yield* endOf(never), yield* isOpen(gone)], [SUCCESS, true])
      yield* askOf([yield* recordNode(), yield* recordNode()])
      assert.deepStrictEqual([yield* endOf(never), yield* endOf(aged)], [EXPIRED, AGED])
      assert.deepStrictEqual(yield* read(gone), gone.transaction)
      assert.deepStrictEqual([yield* endOf(present), yield* endOf(fresh)], [SUCCESS, SUCCESS])
      const open = yield* Effect.forEach([never, gone, present, aged, fresh], isOpen)
      assert.deepStrictEqual(open, [false, false, true, false, true])
    }),
  )

  it.effect("is settled by the trade when that is indexed, and by its revert is pending", () =>
    Effect.gen(function* () {
      const [wrong, right] = [yield* reported("failed"), yield* reported("success")]
      const step = yield* followIndex
      yield* commitChanges(yield* indexTradeOf(wrong), yield* indexTradeOf(right))
      while (yield* step) continue
      assert.deepStrictEqual(yield* endOf(wrong), SUCCESS)
      assert.deepStrictEqual(yield* read(right), right.transaction)
      assert.deepStrictEqual([yield* isOpen(wrong), yield* isOpen(right)], [false, false])
      yield* commitChanges(
        ...[wrong, right].map(({ txHash }) => sampleChange("revert", signature(9), { signature: txHash })),
      )
      while (yield* step) continue
      assert.deepStrictEqual([(yield* endOf(wrong))[0], (yield* endOf(right))[0]], ["pending", "pending"])
    }),
  )

  it.effect("is compared with the indexed trades before it expires", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(["success", "failed"], (status) =>
        reported(status, { lastValidBlockHeight: 3_999 }),
      )
      for (const one of made) {
        yield* age(one, 1)
        yield* indexTradeOf(one)
      }
      yield* askOf([yield* recordNode()])
      assert.deepStrictEqual(yield* Effect.forEach(made, endOf), [SUCCESS, SUCCESS])
      assert.deepStrictEqual(yield* Effect.forEach(made, isOpen), [false, false])
    }),
  )

  it.effect(
    "stands on another chain; a success on Solana without a signature fails an hour after it was recorded",
    () =>
      Effect.gen(function* () {
        const elsewhere = yield* reported("success", { chain: "near", lastValidBlockHeight: 3_999 })
        const [unsigned, young] = [
          yield* reported("success", { txHash: "sent-by-hand" }),
          yield* reported("success", { txHash: "sent-by-hand" }),
        ]
        const given = yield* reported("failed", { txHash: "sent-by-hand" })
        const all = [elsewhere, unsigned, young, given]
        for (const one of [elsewhere, unsigned, given]) yield* age(one, 2)
        yield* askOf([yield* recordNode({ statuses: { [elsewhere.txHash]: failed } })])
        assert.deepStrictEqual(yield* Effect.forEach(all, endOf), [
          SUCCESS,
          ["failed", "expired: the hash is not a Solana signature, an hour after it was recorded"],
          SUCCESS,
          REPORTED_FAILED,
        ])
        assert.deepStrictEqual(yield* Effect.forEach(all, isOpen), [false, false, true, false])
      }),
  )
})
