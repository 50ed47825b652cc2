import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { jsonServer } from "../../../chain/test/JsonServer.ts"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { pollStatuses } from "../../src/transactions/PollStatuses.ts"
import { transactionDraft } from "../../../service/test/Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool, indexTrade } from "./IndexTrades.ts"
import { failed, landed, processed, signature, tradedAnswer, unexecuted } from "./RecordNode.ts"

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** Records by their hash. */
const sent = new Map<string, Parameters<typeof tradedAnswer>[1]>()

/** A node that knows the status of these signatures. */
const node = (statuses: Readonly<Record<string, object>>, asked: Array<ReadonlyArray<string>>) =>
  jsonServer(({ id, method, params }: Call, response) => {
    const context = { slot: 100, apiVersion: "3.0.0" }
    const results: Readonly<Record<string, () => unknown>> = {
      getGenesisHash: () => "CaptureGenesisHash1111111111111111111111111",
      getLatestBlockhash: () => ({
        context,
        value: { blockhash: "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ", lastValidBlockHeight: 200 },
      }),
      getTransaction: () => {
        const [txHash] = params as [string]
        return tradedAnswer(txHash, sent.get(txHash)!, txHash === signature(6) ? { err: unexecuted.err, fee: 0 } : {})
      },
      getSignatureStatuses: () => {
        const signatures = params[0] as ReadonlyArray<string>
        // The service may also ask for none, to learn of slots.
        if (signatures.length > 0) asked.push(signatures)
        return { context, value: signatures.map((one) => statuses[one] ?? null) }
      },
    }
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]!() }))
  })

const record = Effect.fn(function* (txHash: string, fields: Readonly<Record<string, unknown>> = {}) {
  const { request } = yield* TestServer
  const { body } = yield* request("/api/transactions", { json: transactionDraft({ txHash, ...fields }) })
  if (body.transaction.chain === "solana") sent.set(txHash, body.transaction)
  return body.transaction.id as string
})

const statusOf = (id: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/transactions/${id}`), ({ body }) => body.transaction.status as string),
  )

it.live("Pending records end by the chain; unknown and malformed signatures stay pending", () =>
  Effect.gen(function* () {
    const asked: Array<ReadonlyArray<string>> = []
    const rpcUrl = yield* node(
      {
        [signature(1)]: landed,
        [signature(2)]: failed,
        [signature(4)]: processed,
        [signature(5)]: unexecuted,
        [signature(6)]: landed,
      },
      asked,
    )
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const ids = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (seed) => record(signature(seed)))
      const other = yield* record("not-a-signature")
      const elsewhere = yield* record(signature(1), { chain: "near" })
      const ask = yield* pollStatuses
      yield* ask
      const statuses = yield* Effect.forEach([...ids, other, elsewhere], statusOf)
      assert.deepStrictEqual(statuses, [
        "success",
        "failed",
        "pending",
        "pending",
        "failed",
        "pending",
        "pending",
        "pending",
      ])
      const { body: idle } = yield* request(`/api/transactions/${ids[4]}`)
      assert.strictEqual(idle.transaction.statusReason, "not executed: InsufficientFundsForFee")
      const { body: bad } = yield* request(`/api/transactions/${ids[1]}`)
      assert.strictEqual(bad.transaction.statusReason, "failed on chain: InstructionError 2, Custom 6002")
      assert.deepStrictEqual(
        asked.map((one) => one.toSorted()),
        [[1, 2, 3, 4, 5, 6].map(signature).sort()],
      )
      // Not at every poll: the replicas share them.
      yield* ask
      assert.lengthOf(asked, 1)
      yield* sql`update registry_progress set statuses_asked_at = '-infinity'`
      yield* ask
      assert.deepStrictEqual(asked[1]!.toSorted(), [3, 4, 6].map(signature).sort())

      // An indexed trade settles its record at once, whatever a client reported.
      yield* request(`/api/transactions/${ids[2]}/status`, { method: "PATCH", json: { status: "failed" } })
      const { baseToken, poolAddress, userAddress } = sent.get(signature(3))!
      yield* indexPool(baseToken)
      const { slot } = yield* indexTrade({
        ...{ signature: signature(3), baseMint: baseToken, pool: poolAddress, trader: userAddress },
      })
      yield* commitChanges(sampleChange("trade", baseToken, { signature: signature(3), slot: String(slot) }))
      const step = yield* followIndex
      while (yield* step) continue
      assert.strictEqual(yield* statusOf(ids[2]!), "success")

      // Once reverted, it is polled again.
      yield* commitChanges(sampleChange("revert", "", { signature: signature(3) }))
      while (yield* step) continue
      assert.strictEqual(yield* statusOf(ids[2]!), "pending")

      // However many records a client creates, each is polled in rotation.
      const crowd = yield* Effect.forEach(
        Array.from({ length: 600 }),
        (_, index) => record(signature(10 + (index % 200))),
        {
          concurrency: 16,
        },
      )
      assert.lengthOf(crowd, 600)
      const early = yield* record(signature(1))
      yield* sql`update transactions set created_at = created_at - interval '1 hour' where id = ${early}::uuid`
      for (let turn = 0; turn < 5; turn++) {
        yield* sql`update registry_progress set statuses_asked_at = '-infinity'`
        yield* ask
      }
      assert.strictEqual(yield* statusOf(early), "success")
    }).pipe(Effect.provide(TestServer.layer({ rpcUrl })))
  }).pipe(Effect.scoped),
)
