import { Context, Effect, Layer } from "effect"
import type { ClickHouse } from "../src/ClickHouse.ts"
import { clickHouseClient } from "../src/ClickHouseClient.ts"
import { createTables } from "../src/HistoryTables.ts"
import { parseHistoryUrl } from "../src/HistoryUrl.ts"
import { type ClickHouseServer, startClickHouseServer } from "./ClickHouseServer.ts"

/** A server with the tables of history, and our client of it. */
export class TestClickHouse extends Context.Service<
  TestClickHouse,
  { readonly server: ClickHouseServer; readonly clickhouse: ClickHouse }
>()("@launch-registry/clickhouse/test/TestClickHouse") {
  static readonly layer = Layer.effect(
    TestClickHouse,
    Effect.gen(function* () {
      const server = yield* startClickHouseServer()
      const clickhouse = yield* clickHouseClient(parseHistoryUrl(server.url)!)
      yield* createTables(clickhouse)
      return { server, clickhouse }
    }),
  )
}
