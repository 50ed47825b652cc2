import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const faultsOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings({ ...PRODUCTION, ...environment })), ({ faults }) => faults)

describe("Settings of start, stop and retention", () => {
  it.effect("migrate, keep everything and stop at once by default; production leaves five seconds", () =>
    Effect.gen(function* () {
      const { lifecycle } = yield* readSettings({})
      assert.deepStrictEqual(lifecycle, {
        isMigrating: true,
        shutdownDelaySeconds: 0,
        isPooled: false,
        retention: {
          inboxDays: undefined,
          deadLetterDays: undefined,
          tradesDays: undefined,
        },
        uploadsKeptDays: undefined,
      })
      assert.strictEqual((yield* readSettings(PRODUCTION)).lifecycle.shutdownDelaySeconds, 5)
    }),
  )

  it.effect("are read; 0 keeps for ever", () =>
    Effect.gen(function* () {
      const { lifecycle } = yield* readSettings({
        ...PRODUCTION,
        ...{ MIGRATE: "false", SHUTDOWN_DELAY_SECONDS: "0", DATABASE_POOLED: "true", INBOX_KEEP_DAYS: "30" },
        ...{ DEAD_LETTERS_KEEP_DAYS: "0", UPLOADS_KEEP_DAYS: "2" },
      })
      assert.deepStrictEqual(lifecycle, {
        isMigrating: false,
        shutdownDelaySeconds: 0,
        isPooled: true,
        retention: {
          ...{ inboxDays: 30, deadLetterDays: undefined, tradesDays: undefined },
        },
        uploadsKeptDays: 2,
      })
    }),
  )

  it.effect("keep trades for at least eight days, or for ever", () =>
    Effect.gen(function* () {
      const HISTORY_URL = "https://reader:password@clickhouse.example:8443/history"
      const kept = (TRADES_KEEP_DAYS: string) => readSettings({ ...PRODUCTION, HISTORY_URL, TRADES_KEEP_DAYS })
      assert.strictEqual((yield* kept("8")).lifecycle.retention.tradesDays, 8)
      assert.isUndefined((yield* kept("0")).lifecycle.retention.tradesDays)
      for (const days of ["7", "8.5", "-1", "36501"])
        assert.deepStrictEqual(
          (yield* faultsOf({ HISTORY_URL, TRADES_KEEP_DAYS: days })).map((fault) => fault.split(":")[0]),
          ["TRADES_KEEP_DAYS"],
        )
    }),
  )

  it.effect("name what is wrong", () =>
    Effect.gen(function* () {
      const wrong = {
        ...{ MIGRATE: "no", SHUTDOWN_DELAY_SECONDS: "301", DATABASE_POOLED: "1", INBOX_KEEP_DAYS: "-1" },
        ...{ DEAD_LETTERS_KEEP_DAYS: "0.5", UPLOADS_KEEP_DAYS: "36501" },
      }
      const named = (yield* faultsOf(wrong)).map((fault) => fault.split(":")[0])
      assert.sameMembers(named, Object.keys(wrong))
    }),
  )

  it.effect("refuse to wait for migrations of an embedded database", () =>
    Effect.gen(function* () {
      const { faults } = yield* Effect.flip(readSettings({ MIGRATE: "false" }))
      assert.match(faults.join(), /^MIGRATE: expected true with the embedded database/)
    }),
  )
})
