import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { refreshPrices } from "../../src/prices/RefreshPrices.ts"
import { indexPool } from "../launch/IndexedTrades.ts"
import { type Fault, PriceStandIn } from "./PriceStandIn.ts"

/** Tokens that were traded for this quote token within a day. */
const trade = Effect.fnUntraced(function* (quoteMint: string, tokens: number) {
  const sql = yield* SqlClient
  for (let token = 0; token < tokens; token++) {
    const baseMint = sampleAddress()
    yield* indexPool(baseMint, { quoteMint, decimals: 6 })
    yield* sql`
      insert into trading_windows ${sql.insert({ span: "24h", baseMint, traders: 1, trades: 1, quoteVolume: "1" })}`
  }
})

const isDue = Effect.flatMap(
  SqlClient,
  (sql) => sql`update server_progress set done_at = '-infinity' where name = 'price requests'`,
)

/** The newest price of each quote token: a test that crosses a minute stores two. */
const stored = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly quoteMint: string; readonly usd: string }>`
    select distinct on (quote_mint) quote_mint, trim_scale(usd)::text as usd
    from quote_prices order by quote_mint, minute desc`,
)

const json =
  (body: string): Fault =>
  (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(body)

const FAULTS: Readonly<Record<string, Fault>> = {
  "status (status 429)": (response) => void response.writeHead(429, { "retry-after": "60" }).end("{}"),
  "status (status 302)": (response) => void response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
  network: (response) => void response.destroy(),
  malformed: json("<html>busy</html>"),
  too_large: json(`{"padding":"${" ".repeat(300_000)}"}`),
}

layer(TestDatabase.layer, { excludeTestServices: true })("Prices of quote tokens", (it) => {
  it.effect("are asked for by one process at a time, for SOL and the tokens that most were traded for", () =>
    Effect.gen(function* () {
      const source = yield* PriceStandIn.make
      const [usdc, rare] = [sampleAddress(), sampleAddress()]
      yield* trade(usdc, 3)
      yield* trade(rare, 1)
      for (let token = 0; token < 120; token++) yield* trade(sampleAddress(), token < 60 ? 2 : 1)
      source.prices.set(SOL, 147.25).set(usdc, 0.9998)
      const replicas = [yield* refreshPrices(source.options), yield* refreshPrices(source.options)]
      const done = yield* Effect.all(replicas, { concurrency: "unbounded" })
      assert.sameMembers(done, [2, undefined])
      assert.deepStrictEqual(
        source.asked.map(({ length }) => length),
        [50, 50],
      )
      assert.deepStrictEqual(source.asked[0]!.slice(0, 2), [SOL, usdc])
      assert.sameDeepMembers(
        [...(yield* stored)],
        [
          { quoteMint: SOL, usd: "147.25" },
          { quoteMint: usdc, usd: "0.9998" },
        ],
      )
      assert.isUndefined(yield* replicas[0]!)
      yield* isDue
      source.prices.set(SOL, 150)
      assert.strictEqual(yield* replicas[1]!, 2)
      assert.deepInclude(yield* stored, { quoteMint: SOL, usd: "150" })
    }),
  )

  it.effect("that cannot be right are not stored; the last one stays", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from quote_prices`
      const source = yield* PriceStandIn.make
      const refresh = yield* refreshPrices(source.options)
      source.prices.set(SOL, 147.25)
      yield* isDue
      yield* refresh
      for (const wrong of [0, -1, "147", null, 1e300, 1e-30, [147], { usd: 1 }, true]) {
        yield* isDue
        source.prices.set(SOL, wrong)
        assert.strictEqual(yield* refresh, 0, JSON.stringify(wrong))
        assert.deepStrictEqual(yield* stored, [{ quoteMint: SOL, usd: "147.25" }])
      }
      for (const [price, usd] of [
        [2.3e-9, "0.0000000023"],
        [123_456_789_012, "123456789012"],
      ] as const) {
        yield* isDue
        source.prices.set(SOL, price)
        yield* refresh
        assert.strictEqual(Number((yield* stored)[0]!.usd), Number(usd))
      }
    }),
  )

  it.effect("stay as they are when the source fails, and the error holds no secret", () =>
    Effect.gen(function* () {
      const source = yield* PriceStandIn.make
      const refresh = yield* refreshPrices(source.options)
      const before = yield* stored
      for (const [reason, fault] of Object.entries(FAULTS)) {
        source.fault = fault
        yield* isDue
        const error = yield* Effect.flip(refresh)
        assert.strictEqual(error.message, `The source of prices failed: ${reason}`)
        assert.notInclude(JSON.stringify(error) + String(error.stack), "CANARY")
        assert.deepStrictEqual(yield* stored, before)
      }
      source.fault = json("[]")
      yield* isDue
      assert.include((yield* Effect.flip(refresh)).message, "malformed")
      source.fault = json(`{"__proto__":{"${SOL}":{"usdPrice":5}}}`)
      yield* isDue
      assert.strictEqual(yield* refresh, 0)
    }),
  )

  it.effect("are kept by the minute for a month, and by the hour for ever", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from quote_prices`
      yield* sql`
        insert into quote_prices (quote_mint, minute, usd, read_at)
        select ${SOL}, m, 1, m from generate_series(date_trunc('hour', now()) - interval '32 days' + interval '7 minutes',
          date_trunc('hour', now()), interval '10 minutes') m`
      yield* sql`update server_progress set done_at = '-infinity' where name = 'price sweeps'`
      yield* isDue
      const source = yield* PriceStandIn.make
      yield* yield* refreshPrices(source.options)
      const [kept] = yield* sql<{ readonly old: number; readonly hours: number; readonly young: number }>`
        select count(*) filter (where minute < now() - interval '30 days')::int as old,
          count(distinct date_trunc('hour', minute)) filter (where minute < now() - interval '30 days')::int as hours,
          count(*) filter (where minute >= now() - interval '30 days')::int as young from quote_prices`
      assert.isAbove(kept!.old, 40)
      assert.strictEqual(kept!.old, kept!.hours)
      assert.isAbove(kept!.young, 30 * 24 * 6 - 10)
    }),
  )
})
