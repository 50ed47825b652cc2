import { assert, describe, it } from "@effect/vitest"
import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { examples, seeds } from "../../../scripts/Laws.ts"
import { forgetChain } from "../src/identity/ForgetChain.ts"
import { replay } from "../src/replay/Rebuild.ts"
import { retentionStatements } from "../src/retention/RetentionStatements.ts"
import type { LogEntry } from "../src/inbox/IngestLog.ts"
import { Sink } from "../src/sink/Sink.ts"
import { type Rolled, tradingWindowStatements } from "../src/sink/TradingWindows.ts"
import { spreadChain, START } from "./SpreadChain.ts"
import { fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const ROUNDS = examples(30, 200)

/** What the tables have, and what counting all trades gives. */
const compared = Effect.gen(function* () {
  const sql = yield* SqlClient
  const names = Object.keys(WINDOW_LENGTHS)
  const countedTo = sql`counted_to as (
    select (report ->> 'countedAt')::timestamptz as counted_at from indexer_reports where name = 'windows')`
  const wrong = yield* sql`
    with ${countedTo}, spans as (
      select span, counted_at - length::interval as edge
      from counted_to, unnest(${names}::text[], ${Object.values(WINDOW_LENGTHS)}::text[]) as s(span, length)
    ), wanted as (
      select span, base_mint, count(distinct trader) as traders, count(*) as trades, sum(quote_amount) as quote_volume,
        coalesce(sum(quote_amount) filter (where side = 'BUY'), 0) as buy_volume
      from spans join trades on block_time > edge group by span, base_mint
    ), counted as (select span, base_mint, traders, trades, quote_volume, buy_volume from trading_windows)
    (table wanted except table counted) union all (table counted except table wanted)`
  const strange = yield* sql`
    with ${countedTo}, wanted as (
      select base_mint, trader, max(block_time) as last_at from trades, counted_to
      where block_time > counted_at - interval '7 days' group by base_mint, trader
    ), known as (select base_mint, trader, last_at from trading_traders)
    (table wanted except table known) union all (table known except table wanted)`
  const [left] = yield* sql<{ readonly rows: number }>`select count(*)::int as rows from trading_windows`
  return { wrong, strange, rows: left!.rows }
})

const agrees = (said: string) =>
  Effect.map(compared, ({ rows, strange, wrong }) => {
    assert.deepStrictEqual(wrong, [], said)
    assert.deepStrictEqual(strange, [], said)
    return rows
  })

const entries = Effect.flatMap(
  SqlClient,
  (sql) => sql<LogEntry>`
    select log_offset, position, slot, signature from inbox_transactions order by slot, signature`,
)

describe("Trading windows", () => {
  it.live.each(seeds(3, 20))(
    "are what counting all trades gives, whatever came, went and was refreshed when (seed %i)",
    (seed) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const sink = yield* Sink
        const { end, random, transactions } = spreadChain(seed)
        const { refresh } = tradingWindowStatements(sql)
        const missing = [...transactions]
        const dropped: Array<(typeof transactions)[number]> = []
        const fence = yield* lead
        let clock = START
        let most = 0
        const seen = new Map<Rolled, number>()
        for (let round = 0; round < ROUNDS; round++) {
          const deed = random.pick([
            "receive",
            "receive",
            "receive",
            "receive",
            "late",
            "drop",
            "again",
            "replay",
            "unfolded",
          ] as const)
          switch (deed) {
            case "receive":
              yield* receiveTransactions(missing.splice(0, 1 + random.below(40)))
              break
            case "late":
              yield* receiveTransactions(missing.splice(random.below(missing.length + 1), 1 + random.below(20)))
              break
            case "unfolded":
              // Received, but only folded after the refresh.
              yield* receiveTransactions(missing.splice(0, 10))
              break
            case "drop": {
              const all = yield* entries
              const some = all.filter(() => random.chance(0.05))
              const gone = new Set(some.map(({ signature }) => signature))
              dropped.push(...transactions.filter(({ transaction }) => gone.has(transaction.signatures[0]!)))
              if (some.length > 0) yield* sink.drop(some, "test", fence)
              break
            }
            case "again":
              yield* receiveTransactions(dropped.splice(0))
              break
            case "replay":
              if (round % 3 === 0) yield* replay(fence)
          }
          if (deed !== "unfolded") yield* fold(fence)
          // What comes and goes between two refreshes is never counted.
          if (random.chance(0.3)) continue
          clock += random.pick([0, 1, 5, 60, 4_000, Math.floor((end - START) / ROUNDS) * 2, -30])
          const rolled = yield* refresh(new Date(clock * 1000))
          seen.set(rolled, (seen.get(rolled) ?? 0) + 1)
          most = Math.max(most, yield* agrees(`round ${round}, ${deed}, ${rolled}`))
        }
        assert.isAbove(most, 20)
        assert.isAbove(seen.get("rolled")!, ROUNDS / 4)
        assert.strictEqual(seen.get("skipped"), undefined)
        // A week later nothing is left.
        yield* refresh(new Date((clock + 30 * 86_400) * 1000))
        assert.strictEqual(yield* agrees("a month later"), 0)
      }).pipe(Effect.provide(testIndex)),
  )

  it.live("agree with the trades when refreshes meet each other, the sink and their own end", () =>
    Effect.gen(function* () {
      const sink = yield* Sink
      const sql = yield* SqlClient
      const { end, random, transactions } = spreadChain(9)
      const { refresh } = tradingWindowStatements(sql)
      const fence = yield* lead
      yield* refresh(new Date(end * 1000))
      let seconds = end
      for (let start = 0; start < transactions.length; start += 60) {
        yield* receiveTransactions(transactions.slice(start, start + 60))
        const some = (yield* entries).filter(() => random.chance(0.03))
        const again = transactions.filter(({ transaction }) =>
          some.some(({ signature }) => signature === transaction.signatures[0]),
        )
        const refreshes = Array.from({ length: 4 }, () => refresh(new Date((seconds += 1_000) * 1000)))
        const killed = yield* Effect.forkChild(refresh(new Date((seconds + 500) * 1000)))
        yield* Effect.all([fold(fence), ...refreshes, sink.drop(some, "test", fence), Fiber.interrupt(killed)], {
          concurrency: "unbounded",
        })
        yield* receiveTransactions(again)
        yield* fold(fence)
        yield* refresh(new Date((seconds += 1_000) * 1000))
        yield* agrees(`from ${start}`)
      }
      assert.isAbove(yield* agrees("at the end"), 20)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("are recounted when they may be wrong, and only then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { end, transactions } = spreadChain(7)
      const { refresh } = tradingWindowStatements(sql)
      const at = (seconds: number) => new Date((end + seconds) * 1000)
      const sink = yield* Sink
      const fence = yield* lead
      assert.strictEqual(yield* refresh(at(0)), "recounted")
      yield* receiveTransactions(transactions)
      yield* fold(fence)
      assert.strictEqual(yield* refresh(at(1)), "rolled")
      assert.isAbove(yield* agrees("rolled"), 10)
      yield* sink.drop((yield* entries).slice(0, 20), "test", fence)
      assert.strictEqual(yield* refresh(at(2)), "recounted")
      yield* agrees("after a revert")
      // Another table of trades.
      yield* replay(fence)
      assert.strictEqual(yield* refresh(at(4)), "recounted")
      yield* agrees("after a replay")
      // A clock that was days ahead.
      yield* refresh(at(30 * 86_400))
      assert.strictEqual(yield* refresh(at(5)), "recounted")
      assert.isAbove(yield* agrees("after the clock was set back"), 10)
      // One that is a little behind holds the edges.
      assert.strictEqual(yield* refresh(at(-10)), "rolled")
      yield* agrees("a little behind")
      // Transactions that are received again while their trades are there, as after `refetch`.
      yield* sql`delete from inbox_transactions`
      yield* receiveTransactions(transactions.slice(-50))
      yield* fold(fence)
      assert.strictEqual(yield* refresh(at(6)), "recounted")
      yield* agrees("after trades were received again")
      yield* forgetChain(fence)
      yield* refresh(at(7))
      assert.strictEqual(yield* agrees("a forgotten chain"), 0)
      yield* receiveTransactions(transactions)
      yield* fold(fence)
      yield* refresh(at(8))
      assert.isAbove(yield* agrees("another chain"), 10)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("keep the log from deleting the keys of what they have not counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { end, transactions } = spreadChain(8)
      const { refresh } = tradingWindowStatements(sql)
      const { comparedOffset } = retentionStatements(sql)
      const fence = yield* lead
      const head = 1_000_000n
      yield* receiveTransactions(transactions.slice(0, 100))
      yield* fold(fence)
      yield* refresh(new Date(end * 1000))
      const [counted] = yield* sql<{ readonly logOffset: bigint }>`select log_offset from indexer_progress`
      yield* receiveTransactions(transactions.slice(100, 200))
      yield* receiveTransactions(transactions.slice(200))
      yield* fold(fence)
      assert.strictEqual(yield* comparedOffset(head, head), counted!.logOffset)
      yield* refresh(new Date(end * 1000))
      assert.isAbove(Number(yield* comparedOffset(head, head)), Number(counted!.logOffset))
    }).pipe(Effect.provide(testIndex)),
  )
})
