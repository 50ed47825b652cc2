import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { clickHouseClient } from "../src/ClickHouseClient.ts"
import { createTables, HISTORY_TABLES } from "../src/HistoryTables.ts"
import { parseHistoryUrl } from "../src/HistoryUrl.ts"
import { DATABASE, startClickHouseServer } from "./ClickHouseServer.ts"

class EmptyServer extends Context.Service<EmptyServer>()("@launch-registry/clickhouse/test/EmptyServer", {
  make: startClickHouseServer(),
}) {
  static readonly layer = Layer.effect(EmptyServer, EmptyServer.make)
}

/** The statements of a file in deploy/clickhouse, without comments. */
const statementsOf = (file: string): ReadonlyArray<string> =>
  readFileSync(join(import.meta.dirname, "../../../deploy/clickhouse", file), "utf8")
    .replace(/^\s*--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")

/** A statement about the tables of a cluster, as a single server without Keeper can run it. */
const onOneServer = (statement: string): string =>
  statement
    .replaceAll(" on cluster '{cluster}'", "")
    .replaceAll("launch_registry.", `${DATABASE}.`)
    .replace("launch_registry", DATABASE)
    .replace(/Replicated(ReplacingMergeTree)\('[^']+', '\{replica\}', /, "$1(")
    .replace(/Distributed\('\{cluster\}', '\w+', '(\w+)', cityHash64\(\w+\)\)/, `Merge('${DATABASE}', '^$1$$')`)

layer(EmptyServer.layer)("What operators run on ClickHouse", (it) => {
  for (const file of ["users.sql", "cluster/tables.sql"]) {
    it.effect(`is understood: ${file}`, () =>
      Effect.gen(function* () {
        const server = yield* EmptyServer
        const statements = statementsOf(file)
        assert.isAbove(statements.length, 5)
        for (const statement of statements) {
          const [formatted] = yield* server.run<{ text: string }>(
            `select formatQuery('${statement.replace(/[\\']/g, String.raw`\$&`)}') as text`,
          )
          assert.match(formatted!.text, /^(CREATE|GRANT) /)
        }
      }),
    )
  }

  it.effect("makes the tables that the service would make on a single server, on each shard", () =>
    Effect.gen(function* () {
      const server = yield* EmptyServer
      for (const statement of statementsOf("cluster/tables.sql")) yield* server.run(onOneServer(statement))
      const clickhouse = yield* clickHouseClient(parseHistoryUrl(server.url)!)
      const sentBefore = yield* server.requests
      yield* createTables(clickhouse)
      assert.strictEqual((yield* server.requests) - sentBefore, 1)
      yield* server.run("create database single")
      for (const statement of Object.values(HISTORY_TABLES))
        yield* server.run(statement.replaceAll(/(exists|to|from) (trades|tokens|history_identity)/g, "$1 single.$2"))
      const definitionOf = (database: string, name: string) =>
        Effect.map(
          server.run<{
            engine_full: string
            columns: string
            partition_key: string
            primary_key: string
            sorting_key: string
          }>(
            `select engine_full, partition_key, primary_key, sorting_key,
              (select groupArray((name, type, default_expression, compression_codec)) from system.columns where database = '${database}' and table = '${name}') as columns
            from system.tables where database = '${database}' and name = '${name}'`,
          ),
          ([row]) => row!,
        )
      for (const table of ["trades", "trades_by_trader", "tokens", "history_identity"]) {
        const single = yield* definitionOf("single", table)
        assert.include(single.engine_full, "ReplacingMergeTree")
        assert.deepStrictEqual(yield* definitionOf(DATABASE, `${table}_local`), single)
      }
    }),
  )
})
