import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { clickHouseClient } from "../src/ClickHouseClient.ts"
import { createTables, TRADE_COLUMNS } from "../src/HistoryTables.ts"
import { parseHistoryUrl } from "../src/HistoryUrl.ts"
import { startClickHouseServer } from "./ClickHouseServer.ts"

it.effect("keeps a trade by its mint and by its trader", () =>
  Effect.gen(function* () {
    const server = yield* startClickHouseServer()
    const clickhouse = yield* clickHouseClient(parseHistoryUrl(server.url)!)
    yield* createTables(clickhouse)
    yield* createTables(clickhouse)
    const names = ["5", "signature", "pool", "mint", "quote", "trader", "BUY"]
    const figures = [2n ** 64n - 1n, "1", "0", 2n ** 128n - 1n, null, 1_700_000_000, "dbc", "1", 0]
    yield* clickhouse.insert("trades", TRADE_COLUMNS, [[...names, ...figures]])
    const [row] = yield* clickhouse.select<Record<string, unknown>>(
      "select * from trades_by_trader final where trader = {trader:String} and ordinal < {before:UInt64}",
      { trader: "trader", before: 6n },
    )
    assert.strictEqual(row!.base_amount, "18446744073709551615")
    assert.strictEqual(row!.next_sqrt_price, "340282366920938463463374607431768211455")
    assert.isNull(row!.quote_reserve)
  }),
)
