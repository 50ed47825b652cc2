import { assert, layer } from "@effect/vitest"
import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { examples, SEED } from "../../../../scripts/Laws.ts"
import { type Random, randomOf } from "../../../service/test/Random.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { countRecords } from "../../src/transactions/RecordedWindows.ts"

const ROUNDS = examples(40, 250)
const START = Date.parse("2026-11-01T00:00:00Z")
const SECOND = 1_000
const DAY = 86_400 * SECOND

const MINTS = Array.from({ length: 5 }, sampleAddress)
const USERS = Array.from({ length: 6 }, sampleAddress)

const oneOf = <A>(random: Random, all: ReadonlyArray<A>): A => all[random(all.length)]!

const record = (random: Random, millis: number) => ({
  ...{
    id: crypto.randomUUID(),
    userAddress: oneOf(random, USERS),
    txHash: crypto.randomUUID(),
    baseToken: oneOf(random, MINTS),
  },
  ...{ action: oneOf(random, ["BUY", "BUY", "SELL", "BRIDGE"]), quoteToken: MINTS[0], poolAddress: "pool" },
  ...{ amountIn: String(random(1_000_000)), amountInDecimals: oneOf(random, [0, 3, 9]) },
  ...{ amountOut: String(random(1_000)), amountOutDecimals: oneOf(random, [0, 18]) },
  quoteVolume: oneOf(random, [null, String(random(1_000)), `${random(1_000)}e-18`]),
  ...{
    pricePerToken: "1",
    slippageBps: 1,
    fee: "0",
    feeToken: MINTS[0],
    chain: random(9) === 0 ? "near" : "solana",
  },
  ...{ status: oneOf(random, ["pending", "success", "success", "success", "failed"]) },
  ...{ isReported: random(9) === 0, isSole: oneOf(random, [true, true, true, null, null, false]) },
  ...{ createdAt: new Date(millis), updatedAt: new Date(millis) },
})

/** Rows in which the counts differ from counting all records. */
const differences = Effect.gen(function* () {
  const sql = yield* SqlClient
  const names = Object.keys(WINDOW_LENGTHS)
  const counting = sql`
    select base_token as base_mint, user_address as trader, created_at, coalesce(quote_volume, 0) as volume
    from transactions where action in ('BUY', 'SELL') and chain = 'solana' and status = 'success' and not is_reported
      and is_sole is distinct from false and deleted_at is null`
  const windows = yield* sql`
    with spans as (
      select span, counted_at - length::interval as edge
      from recorded_progress, unnest(${names}::text[], ${Object.values(WINDOW_LENGTHS)}::text[]) as s(span, length)
    ), wanted as (
      select span, base_mint, count(distinct trader) as traders, count(*) as trades, sum(volume) as quote_volume
      from spans join (${counting}) c on created_at > edge group by span, base_mint
    ), counted as (select span, base_mint, traders, trades, quote_volume from recorded_windows)
    (table wanted except table counted) union all (table counted except table wanted)`
  const traders = yield* sql`
    with wanted as (
      select base_mint, trader, max(created_at) as last_at from (${counting}) c, recorded_progress
      where created_at > counted_at - interval '7 days' group by base_mint, trader
    ), known as (select base_mint, trader, last_at from recorded_traders)
    (table wanted except table known) union all (table known except table wanted)`
  return [...windows, ...traders]
})

layer(TestDatabase.layer)("Windows of records", (it) => {
  it.effect("are what counting all records gives, whatever was recorded, changed, deleted and counted when", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const random = randomOf(SEED)
      let now = START
      let most = 0
      for (let round = 0; round < ROUNDS; round++) {
        for (let count = random(12); count > 0; count--) {
          // Some are of a clock that is ahead, or are written late.
          const millis = now - oneOf(random, [0, 0, 10, 400, 5_000, 90_000, 700_000, -60]) * SECOND
          yield* sql`insert into transactions ${sql.insert(record(random, millis))}`
        }
        const some = sql`id in (select id from transactions order by md5(id::text || ${String(round)}) limit ${random(6)})`
        switch (random(8)) {
          case 0:
            yield* sql`update transactions set status = 'failed', updated_at = now() where ${some}`
            break
          case 1:
            yield* sql`update transactions set status = 'success', is_reported = false where ${some}`
            break
          case 2:
            yield* sql`update transactions set deleted_at = now() where ${some}`
            break
          case 3:
            yield* sql`delete from transactions where ${some}`
            break
          case 4:
            yield* sql`update transactions set is_reported = not is_reported where ${some}`
            break
          case 5:
            yield* sql`update transactions set deleted_at = null, quote_volume = quote_volume + 1, user_address = ${oneOf(random, USERS)} where ${some}`
        }
        now += oneOf(random, [0, 1, 5, 60, 1_000, 10_000, 100_000, -30]) * SECOND
        assert.isTrue(yield* countRecords(0, new Date(now)))
        assert.deepStrictEqual(yield* differences, [], `round ${round}`)
        const [left] = yield* sql<{ readonly rows: number }>`select count(*)::int as rows from recorded_windows`
        most = Math.max(most, left!.rows)
      }
      assert.isAbove(most, 15)
      // A recount gives the same.
      yield* sql`update recorded_progress set counted_at = null`
      yield* countRecords(0, new Date(now))
      assert.deepStrictEqual(yield* differences, [])
      yield* countRecords(0, new Date(now + 30 * DAY))
      assert.deepStrictEqual(yield* sql`select 1 from recorded_windows`, [])
      assert.deepStrictEqual(yield* sql`select 1 from recorded_traders`, [])
    }),
  )

  it.effect("are counted by one process at a time, and not again until they are due", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`update recorded_progress set counted_at = null`
      const turns = yield* Effect.all(
        Array.from({ length: 6 }, () => countRecords(3_600)),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(
        turns.filter((counted) => counted),
        [true],
      )
      assert.isFalse(yield* countRecords(3_600))
      const random = randomOf(SEED)
      const recorded = Array.from({ length: 40 }, () => record(random, Date.now()))
      yield* Effect.all(
        recorded.flatMap((row) => [sql`insert into transactions ${sql.insert(row)}`, countRecords(0)]),
        { concurrency: 8 },
      )
      yield* countRecords(0)
      assert.deepStrictEqual(yield* differences, [])
    }),
  )
})
