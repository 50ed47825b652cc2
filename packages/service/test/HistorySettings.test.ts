import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

describe("Settings of history", () => {
  it.effect("are absent by default", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone((yield* readSettings({})).history))
    }),
  )

  it.effect("are read, and the password is secret", () =>
    Effect.gen(function* () {
      const HISTORY_URL = "https://reader:CANARY%2F1@clickhouse.example:8443/history"
      const history = Option.getOrThrow((yield* readSettings({ ...PRODUCTION, HISTORY_URL })).history)
      assert.deepInclude(history, { origin: "https://clickhouse.example:8443", user: "reader", database: "history" })
      assert.strictEqual(Redacted.value(history.password), "CANARY/1")
      assert.notInclude(JSON.stringify(history), "CANARY")
    }),
  )

  it.effect("name what is wrong, without values", () =>
    Effect.gen(function* () {
      for (const HISTORY_URL of [
        "clickhouse://u:CANARY@host/db",
        "http://host:8123/CANARY",
        "http://u:CANARY@host:8123",
      ]) {
        const { faults } = yield* Effect.flip(readSettings({ ...PRODUCTION, HISTORY_URL }))
        assert.deepStrictEqual(
          faults.map((fault) => fault.split(":")[0]),
          ["HISTORY_URL"],
        )
        assert.notInclude(faults.join(), "CANARY")
      }
    }),
  )

  it.effect("are needed where old trades leave PostgreSQL, and so is the log", () =>
    Effect.gen(function* () {
      const settings = { ...PRODUCTION, TRADES_KEEP_DAYS: "30", INBOX_KEEP_DAYS: "9" }
      const { faults } = yield* Effect.flip(readSettings(settings))
      assert.deepStrictEqual(
        faults.map((fault) => fault.split(":")[0]),
        ["HISTORY_URL", "INBOX_KEEP_DAYS"],
      )
      const HISTORY_URL = "http://writer:secret@clickhouse:8123/history"
      const { lifecycle } = yield* readSettings({ ...settings, INBOX_KEEP_DAYS: "0", HISTORY_URL })
      assert.strictEqual(lifecycle.retention.tradesDays, 30)
    }),
  )
})
