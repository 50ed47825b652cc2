import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { ClickHouseFailed } from "../src/ClickHouseFailed.ts"
import { clickHouseClient } from "../src/ClickHouseClient.ts"
import { TRADE_COLUMNS } from "../src/HistoryTables.ts"
import { parseHistoryUrl } from "../src/HistoryUrl.ts"
import { DATABASE, type FailureMode, PASSWORD, USER } from "./ClickHouseServer.ts"
import { historyRow, valuesOf } from "./HistoryRows.ts"
import { TestClickHouse } from "./TestClickHouse.ts"

const NUMBERS = "select number from numbers({count:UInt64})"

/** What failed while the server does so; it works again afterwards. */
const failing = Effect.fnUntraced(function* <A>(mode: FailureMode, effect: Effect.Effect<A, ClickHouseFailed>) {
  const { clickhouse, server } = yield* TestClickHouse
  yield* server.fail(mode)
  const failed = yield* Effect.flip(effect)
  yield* server.heal
  assert.lengthOf(yield* clickhouse.select(NUMBERS, { count: 3 }), 3)
  return failed
})

const hasNoSecret = ({ reason }: ClickHouseFailed, port: string) => {
  const credentials = Buffer.from(`${USER}:${PASSWORD}`).toString("base64")
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), USER, credentials, port])
    assert.notInclude(reason, secret)
  assert.isBelow(reason.length, 500)
}

/** Mode, and what the sentence says. Answers that are none are in MalformedAnswers. */
const MODES: ReadonlyArray<readonly [FailureMode, RegExp]> = [
  ["refuse", /^The connection to ClickHouse failed: ECONNREFUSED$/],
  ["error", /^ClickHouse cannot do this now: MEMORY_LIMIT_EXCEEDED \(code 241\): Memory limit exceeded\.$/],
  ["cut", /^The connection to ClickHouse failed/],
  ["drop", /^The connection to ClickHouse failed: ECONNRESET$/],
]

layer(TestClickHouse.layer)("A statement fails", (it) => {
  for (const [mode, sentence] of MODES) {
    it.effect(`when the server does this: ${mode}`, () =>
      Effect.gen(function* () {
        const { clickhouse, server } = yield* TestClickHouse
        const { port } = new URL(server.url)
        const row = valuesOf(historyRow({ base_mint: mode }))
        for (const statement of [
          clickhouse.select(NUMBERS, { count: 1_000 }),
          clickhouse.insert("trades", TRADE_COLUMNS, [row]),
          clickhouse.command("select 1 format Null"),
        ]) {
          const failed = yield* failing(mode, statement)
          assert.isFalse(failed.isPermanent)
          assert.match(failed.reason, sentence)
          hasNoSecret(failed, port)
        }
      }),
    )
  }

  it.effect("when the server hangs, after its time, and asks the server to end as well", () =>
    Effect.gen(function* () {
      const { clickhouse, server } = yield* TestClickHouse
      const sentBefore = yield* server.requests
      yield* server.fail("hang")
      const running = yield* Effect.forkChild(
        Effect.flip(clickhouse.select(NUMBERS, { count: 1 }, { timeoutMillis: 2_500 })),
      )
      while ((yield* server.requests) === sentBefore) yield* Effect.yieldNow
      yield* TestClock.adjust(2_500)
      const failed = yield* Fiber.join(running)
      assert.strictEqual(failed.reason, "ClickHouse did not answer within 2.5 s")
      assert.isFalse(failed.isPermanent)
      yield* server.heal
      const [row] = yield* clickhouse.select<{ seconds: string }>(
        "select value as seconds from system.settings where name = 'max_execution_time'",
        {},
        { timeoutMillis: 2_500 },
      )
      assert.strictEqual(Number(row!.seconds), 3)
    }),
  )

  it.effect("without saying whether an insert was stored: the same rows again are harmless", () =>
    Effect.gen(function* () {
      const { clickhouse, server } = yield* TestClickHouse
      const rows = [1n, 2n, 3n].map((ordinal) => valuesOf(historyRow({ base_mint: "dropped", ordinal })))
      yield* server.fail("drop", 1)
      yield* Effect.flip(clickhouse.insert("trades", TRADE_COLUMNS, rows))
      const counted = (final: string) =>
        Effect.map(
          clickhouse.select<{ rows: string }>(
            `select count() as rows from trades ${final} where base_mint = 'dropped'`,
          ),
          ([row]) => row!.rows,
        )
      assert.strictEqual(yield* counted(""), "3")
      yield* clickhouse.insert("trades", TRADE_COLUMNS, rows)
      assert.strictEqual(yield* counted(""), "6")
      assert.strictEqual(yield* counted("final"), "3")
    }),
  )

  it.effect("for good with a wrong password, without naming user or password", () =>
    Effect.gen(function* () {
      const { server } = yield* TestClickHouse
      const url = parseHistoryUrl(server.url)!
      const clickhouse = yield* clickHouseClient({ ...url, password: Redacted.make("not-the-password") })
      const failed = yield* Effect.flip(clickhouse.select("select 1"))
      assert.isTrue(failed.isPermanent)
      assert.match(failed.reason, /^ClickHouse refuses the user or the password of HISTORY_URL: AUTHENTICATION_FAILED/)
      assert.notInclude(failed.reason, "not-the-password")
      hasNoSecret(failed, new URL(url.origin).port)
    }),
  )

  it.effect("for good when the server cannot run it, or has no such database", () =>
    Effect.gen(function* () {
      const { clickhouse, server } = yield* TestClickHouse
      const elsewhere = yield* clickHouseClient({ ...parseHistoryUrl(server.url)!, database: `${DATABASE}_absent` })
      for (const [statement, sentence, client] of [
        [
          "select * from absent",
          /^ClickHouse does not have what the statement names: UNKNOWN_TABLE \(code 60\): .*absent/,
        ],
        ["select absent from trades", /^ClickHouse does not have what .*: UNKNOWN_IDENTIFIER \(code 47\)/],
        ["select from where", /^ClickHouse refuses the statement: SYNTAX_ERROR \(code 62\)/],
        ["select {absent:UInt64}", /UNKNOWN_QUERY_PARAMETER \(code 456\)/],
        ["select 1", /UNKNOWN_DATABASE \(code 81\)/, elsewhere],
      ] as const) {
        const failed = yield* Effect.flip((client ?? clickhouse).select(statement))
        assert.match(failed.reason, sentence)
        assert.isTrue(failed.isPermanent)
      }
    }),
  )

  it.effect("for good when there are more rows or bytes than a client takes, never with some of them", () =>
    Effect.gen(function* () {
      const { clickhouse, server } = yield* TestClickHouse
      assert.lengthOf(yield* clickhouse.select(NUMBERS, { count: 10 }, { rowsMax: 10 }), 10)
      const rows = yield* Effect.flip(clickhouse.select(NUMBERS, { count: 11 }, { rowsMax: 10 }))
      const small = yield* clickHouseClient(parseHistoryUrl(server.url)!, { bytesMax: 10_000 })
      const bytes = yield* Effect.flip(small.select("select repeat('x', 9990) as text"))
      assert.match(rows.reason, /TOO_MANY_ROWS_OR_BYTES \(code 396\)/)
      assert.strictEqual(bytes.reason, "ClickHouse answered more than 10000 bytes")
      assert.isTrue(rows.isPermanent && bytes.isPermanent)
    }),
  )

  it.effect("never for an insert of no rows, which is not sent", () =>
    Effect.gen(function* () {
      const { clickhouse, server } = yield* TestClickHouse
      const sentBefore = yield* server.requests
      yield* clickhouse.insert("absent", TRADE_COLUMNS, [])
      assert.strictEqual(yield* server.requests, sentBefore)
    }),
  )
})
