import * as ClickHouse from "@launch-registry/clickhouse/ClickHouse"
import { createTables, TRADE_COLUMNS } from "@launch-registry/clickhouse/HistoryTables"
import { parseHistoryUrl } from "@launch-registry/clickhouse/HistoryUrl"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ClickHouseServer, startClickHouseServer } from "../../../clickhouse/test/ClickHouseServer.ts"
import type { IndexedTrade } from "../launch/IndexedTrades.ts"

/** A history of its own, with its tables: for servers that are provided with it. */
export class TestHistory extends Context.Service<TestHistory, ClickHouseServer>()(
  "@launch-registry/server/test/history/TestHistory",
) {
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const server = yield* startClickHouseServer()
      const client = ClickHouse.layer(parseHistoryUrl(server.url)!)
      const tables = Effect.flatMap(ClickHouse.ClickHouse, (clickHouse) => createTables(clickHouse!))
      return Layer.mergeAll(
        Layer.succeed(TestHistory, server),
        Layer.provideMerge(Layer.effectDiscard(Effect.orDie(tables)), client),
      )
    }),
  )
}

/** Writes trades to history, as the leader does once they are proven. */
export const sendTrades = Effect.fnUntraced(function* (
  trades: ReadonlyArray<IndexedTrade>,
  configOf: (trade: IndexedTrade) => string = () => "",
) {
  const clickHouse = (yield* ClickHouse.ClickHouse)!
  const sql = yield* SqlClient
  const [known] = yield* sql<{ readonly historyId: string }>`select history_id from indexer_progress`
  const rows = trades.map((trade) => [
    ...[trade.ordinal, trade.signature, trade.pool, trade.baseMint, trade.quoteMint, trade.trader, trade.side],
    ...[trade.baseAmount, trade.quoteAmount, trade.fee, trade.nextSqrtPrice, trade.quoteReserve ?? null],
    ...[trade.blockTime.getTime() / 1000, trade.venue, configOf(trade)],
  ])
  yield* Effect.orDie(clickHouse.insert("history_identity", ["id"], [[known!.historyId]]))
  yield* Effect.orDie(clickHouse.insert("trades", TRADE_COLUMNS, rows))
})

/** Says that every slot is proven, so that trades are finalized wherever they are read. */
export const proveAll = Effect.fnUntraced(function* (pools: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  yield* sql`update indexer_progress set module_hash = 'all', log_offset = 1, slot = 0`
  yield* sql`
    insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset) values (0, 2000000000, 'test', now(), 1)`
  for (const pool of pools)
    yield* sql`
      insert into coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
      values (${pool}, 0, 2000000000, 'test', now(), 1)`
})

/** Says where the trades of PostgreSQL begin. */
export const keepFrom = (ordinal: bigint) =>
  Effect.flatMap(SqlClient, (sql) => sql`update indexer_progress set kept_from = ${ordinal}`)
