import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { examples } from "../../../scripts/Laws.ts"
import {
  createTables,
  HISTORY_TABLES,
  PARTITION_SLOTS,
  TOKEN_COLUMNS,
  TRADE_COLUMNS,
  TRADE_TABLES,
} from "../src/HistoryTables.ts"
import { type HistoryRow, historyRow, valuesOf } from "./HistoryRows.ts"
import { TestClickHouse } from "./TestClickHouse.ts"

const upTo = (bits: number) =>
  Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** BigInt(bits) - 1n }))
const [Unsigned64, Unsigned128] = [upTo(64), upTo(128)]
const Time = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 32 - 1 }))
/** Everything that UTF-8 can hold: the columns do not know base58. */
const Text = Schema.String.check(Schema.makeFilter((text) => text.isWellFormed()))

const Trade = Schema.Struct({
  ...{ ordinal: Unsigned64, signature: Text, pool: Text, quote_mint: Text, trader: Text },
  ...{ side: Schema.Literals(["BUY", "SELL"]), base_amount: Unsigned64, quote_amount: Unsigned64, fee: Unsigned64 },
  ...{
    next_sqrt_price: Unsigned128,
    quote_reserve: Schema.NullOr(Unsigned64),
    block_time: Time,
    venue: Text,
    config: Text,
  },
})

const MOST = 2n ** 64n - 1n
const LARGEST = {
  ...{ base_amount: MOST, quote_amount: MOST, fee: MOST, quote_reserve: MOST },
  next_sqrt_price: 2n ** 128n - 1n,
}

const READ = `select * replace (toUnixTimestamp(block_time) as block_time) from trades final
  where base_mint = {mint:String} order by ordinal, signature`

const insert = Effect.fnUntraced(function* (...rows: ReadonlyArray<HistoryRow>) {
  const { clickhouse } = yield* TestClickHouse
  yield* clickhouse.insert("trades", TRADE_COLUMNS, rows.map(valuesOf))
})
const tradesOf = Effect.fnUntraced(function* (mint: string) {
  const { clickhouse } = yield* TestClickHouse
  return yield* clickhouse.select<Record<keyof HistoryRow, string>>(READ, { mint })
})
const byTrader = Effect.fnUntraced(function* (trader: string) {
  const { clickhouse } = yield* TestClickHouse
  return yield* clickhouse.select<{ signature: string }>(
    "select signature from trades_by_trader final where trader = {trader:String} order by ordinal, signature",
    { trader },
  )
})

layer(TestClickHouse.layer)("The tables of history", (it) => {
  it.effect(
    "are created once, with the columns that are written: where all are there, nothing is asked to be created",
    () =>
      Effect.gen(function* () {
        const { clickhouse, server } = yield* TestClickHouse
        const sentBefore = (yield* server.statements).length
        yield* createTables(clickhouse)
        assert.strictEqual((yield* server.statements).length, sentBefore + 1)
        for (const statement of Object.values(HISTORY_TABLES)) yield* clickhouse.command(statement)
        const columns = yield* server.run<{ table: string; names: ReadonlyArray<string> }>(
          "select table, groupArray(name) as names from (select table, name from system.columns where database = 'history' order by table, position) group by table",
        )
        const found = Object.fromEntries(columns.map(({ names, table }) => [table, names]))
        assert.sameMembers(Object.keys(found), Object.keys(HISTORY_TABLES))
        assert.deepStrictEqual(found.trades, [...TRADE_COLUMNS])
        for (const table of ["trades_by_trader", "trades_to_trades_by_trader"])
          assert.deepStrictEqual(found[table], TRADE_COLUMNS.slice(0, -1))
        assert.deepStrictEqual(found.tokens, [...TOKEN_COLUMNS])
      }),
  )

  it.effect.prop(
    "give back what was written",
    [Schema.Array(Trade).check(Schema.isMaxLength(20))],
    ([trades]) =>
      Effect.gen(function* () {
        const mint = crypto.randomUUID()
        const rows = [...trades, LARGEST].map((trade, index) =>
          historyRow({ ...trade, base_mint: mint, ordinal: BigInt(index) }),
        )
        yield* insert(...rows)
        const asText = (row: object) =>
          Object.fromEntries(Object.entries(row).map(([name, value]) => [name, `${value}`]))
        assert.deepStrictEqual((yield* tradesOf(mint)).map(asText), rows.map(asText))
      }),
    { arbitrary: { runs: examples(15, 200) } },
  )

  it.effect("refuse a null where a column has none, and store nothing of that insert", () =>
    Effect.gen(function* () {
      const good = historyRow({ base_mint: "null" })
      const failed = yield* Effect.flip(insert(good, historyRow({ base_mint: "null", signature: "2", trader: null })))
      assert.isTrue(failed.isPermanent)
      assert.deepStrictEqual(yield* tradesOf("null"), [])
    }),
  )

  it.effect("have a row once that was sent twice, and the last of a token, also before the server merges", () =>
    Effect.gen(function* () {
      const row = historyRow({ base_mint: "twice", trader: "trader of twice" })
      yield* insert(row)
      yield* insert(row)
      assert.strictEqual((yield* tradesOf("twice")).length, 1)
      assert.strictEqual((yield* byTrader("trader of twice")).length, 1)
      const { clickhouse } = yield* TestClickHouse
      for (const launchpad of ["launchpad_a", ""])
        yield* clickhouse.insert("tokens", TOKEN_COLUMNS, [["mint", launchpad]])
      assert.deepStrictEqual(yield* clickhouse.select("select launchpad from tokens final"), [{ launchpad: "" }])
    }),
  )

  it.effect("lose what is deleted, and keep the rest after merges", () =>
    Effect.gen(function* () {
      const { clickhouse } = yield* TestClickHouse
      const row = historyRow({ base_mint: "merged", trader: "merged", ordinal: 2n ** 63n })
      yield* insert(row, historyRow({ ...row, signature: "other", ordinal: 2n ** 63n - 1n }))
      for (const table of TRADE_TABLES)
        yield* clickhouse.command(`delete from ${table} where ordinal >= {ordinal:UInt64}`, { ordinal: 2n ** 63n })
      for (const table of TRADE_TABLES) yield* clickhouse.command(`optimize table ${table} final`)
      assert.deepStrictEqual(
        (yield* tradesOf("merged")).map(({ signature }) => signature),
        ["other"],
      )
      assert.deepStrictEqual(yield* byTrader("merged"), [{ signature: "other" }])
    }),
  )

  it.effect("are partitioned by slots", () =>
    Effect.gen(function* () {
      const { server } = yield* TestClickHouse
      const partitions = server.run<{ partition: string }>(
        "select distinct partition from system.parts where database = 'history' and table = 'trades' and active",
      )
      const known = new Set((yield* partitions).map(({ partition }) => partition))
      const ordinals = [3n, 4n, 5n].map((index) => (index * BigInt(PARTITION_SLOTS)) << 32n)
      yield* insert(...ordinals.map((ordinal) => historyRow({ base_mint: "parts", ordinal: ordinal - 1n })))
      const added = (yield* partitions).map(({ partition }) => partition).filter((one) => !known.has(one))
      assert.sameMembers(added, ["2", "3", "4"])
    }),
  )

  it.effect("have users whose statements are understood", () =>
    Effect.gen(function* () {
      const { server } = yield* TestClickHouse
      const text = readFileSync(join(import.meta.dirname, "../../../deploy/clickhouse/users.sql"), "utf8")
      const statements = text
        .replace(/^\s*--.*$/gm, "")
        .split(";")
        .slice(0, -1)
      assert.isAbove(statements.length, 5)
      for (const statement of statements)
        yield* server.run(`select formatQuery('${statement.trim().replace(/[\\']/g, String.raw`\$&`)}') as text`)
    }),
  )
})
