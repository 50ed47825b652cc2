import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { over, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { pollStatuses } from "../../src/transactions/PollStatuses.ts"
import { countRecords } from "../../src/tokens/RecordedWindows.ts"
import { transactionDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { indexPool, indexTrade } from "./IndexTrades.ts"
import { type RecordNode, signature, willTrade } from "./RecordNode.ts"

let seeds = 100

/** A unique signature. */
export const nextSignature = () => signature(++seeds)

/** Records a unique transaction; returns its id and its signature. */
export const record = Effect.fn(function* (fields: Readonly<Record<string, unknown>> = {}) {
  const { request } = yield* TestServer
  const { txHash, ...draft } = transactionDraft({ txHash: nextSignature(), ...fields })
  const { body } = yield* request("/api/transactions", { json: { txHash, ...draft } })
  assert.isTrue(body.success, JSON.stringify(body))
  willTrade(txHash, body.transaction)
  return { id: body.transaction.id as string, txHash }
})

export const read = ({ id }: { readonly id: string }) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/transactions/${id}`), ({ body }) => body.transaction),
  )

/** Indexes the trade of a BUY record as its user made it; returns the change of the index. */
export const indexTradeOf = Effect.fn(function* (made: { readonly id: string }) {
  const { baseToken, poolAddress, txHash, userAddress } = yield* read(made)
  yield* indexPool(baseToken)
  const { slot } = yield* indexTrade({
    ...{ signature: txHash, baseMint: baseToken, pool: poolAddress, trader: userAddress },
  })
  return sampleChange("trade", baseToken, { signature: txHash, slot: String(slot) }) as { readonly slot: string }
})

/** The status of a record, and its reason. */
export const endOf = Effect.fn(function* (made: { readonly id: string }) {
  const { status, statusReason } = yield* read(made)
  return [status as string, statusReason as string | null]
})

/** Sends the record of a transaction. */
export const post = (fields: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(TestServer, ({ request }) => request("/api/transactions", { json: transactionDraft(fields) }))

/** Reports the status of a record. */
export const report = (id: string, json: object) =>
  Effect.flatMap(TestServer, ({ request }) => request(`/api/transactions/${id}/status`, { method: "PATCH", json }))

/** Counted records of a mint and their volume. */
export const counted = Effect.fn(function* (baseMint: string) {
  const sql = yield* SqlClient
  yield* countRecords()
  const [row] = yield* sql<{ readonly trades: bigint; readonly volume: string }>`
    select trades, trim_scale(quote_volume)::text as volume from recorded_windows where base_mint = ${baseMint} and span = '24h' and traders > 0`
  return [Number(row?.trades ?? 0), row?.volume ?? "0"]
})

/** Lets the registry follow an indexed trade. */
export const followTrade = Effect.fn(function* ({
  baseMint,
  signature,
  slot,
}: Effect.Success<ReturnType<typeof indexTrade>>) {
  yield* commitChanges(sampleChange("trade", baseMint, { signature, slot: String(slot) }))
  const step = yield* followIndex
  while (yield* step) continue
})

/** Moves a record into the past. */
export const age = ({ id }: { readonly id: string }, hours: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) =>
      sql`update transactions set created_at = created_at - make_interval(hours => ${hours}::integer) where id = ${id}::uuid`,
  )

/** Polls these nodes once, after all of them are in use. */
export const askOf = Effect.fn(function* (nodes: ReadonlyArray<RecordNode>, isReady = true) {
  const sql = yield* SqlClient
  yield* Effect.gen(function* () {
    const names = ["primary", "backup", "backup-2"].slice(0, nodes.length)
    if (isReady) for (const name of names) yield* untilState(name, "closed")
    const ask = yield* pollStatuses
    yield* sql`update server_progress set done_at = '-infinity' where name = 'statuses'`
    yield* Effect.ignore(ask)
  }).pipe(Effect.provide(over(nodes.map(({ node }) => node.url))))
})

export const PENDING = ["pending", null]
export const EXPIRED = ["failed", "expired: valid until block height 3999; not found by finalized block height 4000"]
export const AGED = ["failed", "expired: not found on chain an hour after it was recorded"]
