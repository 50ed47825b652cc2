import { ClickHouse, type ClickHouse as ClickHouseClient } from "@launch-registry/clickhouse/ClickHouse"
import { clickHouseClient } from "@launch-registry/clickhouse/ClickHouseClient"
import { createTables } from "@launch-registry/clickhouse/HistoryTables"
import { parseHistoryUrl } from "@launch-registry/clickhouse/HistoryUrl"
import { Clock, Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ClickHouseServer, startClickHouseServer } from "../../../clickhouse/test/ClickHouseServer.ts"
import { compareStores } from "../../src/history/CompareStores.ts"
import { type HistoryOptions, historyRounds } from "../../src/history/KeepHistory.ts"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { oldTrades } from "../../src/retention/OldTrades.ts"
import { tradingWindowStatements } from "../../src/sink/TradingWindows.ts"
import { reconciledIndex, round } from "../finality/ReconciledIndex.ts"
import { originReported } from "../retention/SweptIndex.ts"
import { blocks, FIRST } from "../retention/TwoHours.ts"
import { type StandInCluster, standInCluster } from "../StandInCluster.ts"
import { fold, receiveTransactions } from "../TestIndex.ts"

/** An index that is reconciled with a node, and an empty history beside it. */
export const historyIndex = <A, E>(
  cluster: StandInCluster,
  test: (
    clickhouse: ClickHouseClient,
    server: ClickHouseServer,
  ) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof reconciledIndex>>>,
) =>
  Effect.gen(function* () {
    const server = yield* startClickHouseServer({ sessions: 1 })
    const clickhouse = yield* clickHouseClient(parseHistoryUrl(server.url)!)
    yield* createTables(clickhouse)
    return yield* test(clickhouse, server).pipe(
      Effect.provide(reconciledIndex(cluster)),
      Effect.provideService(ClickHouse, clickhouse),
    )
  })

/** Digests of all that was sent, as both stores have it. */
export const comparedHistory = Effect.fnUntraced(function* (clickhouse: ClickHouseClient) {
  const sql = yield* SqlClient
  const { sentBelow } = yield* historyStatements(sql).progress
  return { sentBelow, ...(yield* compareStores(sql, clickhouse, 0n, sentBelow)) }
})

export const DAYS = 10
export const LAST = blocks.at(-1)!.slot

/** A node that has finalized all of a chain of two hours. */
export const finalizedCluster = Effect.map(standInCluster(blocks), (cluster) => {
  cluster.finalizedSlot = LAST
  return cluster
})

/** An index that has this chain: folded, proven, compared and counted. */
export const filled = Effect.fnUntraced(function* (fence: Fence) {
  yield* originReported
  for (const { transactions } of blocks) yield* receiveTransactions(transactions)
  yield* settled(fence)
})

export const settled = Effect.fnUntraced(function* (fence: Fence) {
  yield* fold(fence)
  yield* round(fence, FIRST)
  yield* round(fence, FIRST)
  yield* tradingWindowStatements(yield* SqlClient).refresh()
})

/** A round when the trades of a slot are just as old as trades are kept; those of five slots leave at once. */
export const roundAt = Effect.fnUntraced(function* (slot: number, fence: Fence, options: HistoryOptions = {}) {
  const now = blocks[slot - FIRST]!.transactions[0]!.blockTime! * 1000 + DAYS * 86_400_000
  const clock = Object.assign(Object.create(yield* Clock.Clock) as Clock.Clock, {
    currentTimeMillis: Effect.succeed(now),
    currentTimeMillisUnsafe: () => now,
  })
  const work = yield* historyRounds(
    { tradesDays: DAYS, releaseMillis: 0, releaseSlots: 5n, retryMillis: 0, ...options },
    fence,
  )
  return yield* Effect.provideService(work, Clock.Clock, clock)
})

export const keptFrom = Effect.gen(function* () {
  return (yield* oldTrades(yield* SqlClient).kept).keptFrom
})

interface Place {
  readonly ordinal: string
  readonly signature: string
}

/** What a reader of both stores sees: of PostgreSQL what it has from `kept_from` on, and of ClickHouse the rest. */
export const placesOfBoth = Effect.fnUntraced(function* (clickhouse: ClickHouseClient) {
  const sql = yield* SqlClient
  const from = yield* keptFrom
  const here = yield* sql<Place>`
    select ordinal::text, signature from trades where ordinal >= ${from} order by trades.ordinal, signature`
  const there = yield* clickhouse.select<Place>(
    "select toString(ordinal) as ordinal, signature from trades final where trades.ordinal < {from:UInt64} order by trades.ordinal, signature",
    { from: String(from) },
  )
  return [...there, ...here].map(({ ordinal, signature }) => `${ordinal} ${signature}`)
})

interface Report {
  readonly problem: string | null
  readonly failingSince: string | null
}

export const reported = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly report: Report }>`select report from indexer_reports where name = 'history'`
  return row?.report
})
