import { ClickHouse, type ClickHouse as ClickHouseClient } from "@launch-registry/clickhouse/ClickHouse"
import { clickHouseClient } from "@launch-registry/clickhouse/ClickHouseClient"
import { createTables } from "@launch-registry/clickhouse/HistoryTables"
import { parseHistoryUrl } from "@launch-registry/clickhouse/HistoryUrl"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ClickHouseServer, startClickHouseServer } from "../../../clickhouse/test/ClickHouseServer.ts"
import { compareStores } from "../../src/history/CompareStores.ts"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import { reconciledIndex } from "../finality/ReconciledIndex.ts"
import type { StandInCluster } from "../StandInCluster.ts"

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

/** How many rows ClickHouse stores of trades, with all their versions. */
export const storedRows = (server: ClickHouseServer) =>
  Effect.map(server.run<{ readonly rows: string }>("select count() as rows from history.trades"), ([row]) =>
    Number(row!.rows),
  )
