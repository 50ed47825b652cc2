import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const readUrl = (DATABASE_READ_URL: string) =>
  Effect.map(readSettings({ ...PRODUCTION, DATABASE_READ_URL }), ({ databaseReadUrl }) => databaseReadUrl)

describe("The address of the read replica", () => {
  it.effect("is none by default, or a connection string", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone((yield* readSettings(PRODUCTION)).databaseReadUrl))
      for (const url of ["postgres://u:p@a,b/registry", "postgresql://u:p@c:5433/registry?sslmode=disable"])
        assert.strictEqual(Redacted.value(Option.getOrThrow(yield* readUrl(url))), url)
    }),
  )

  it.effect("is a fault, named without its value, where it is another URL, several, or without DATABASE_URL", () =>
    Effect.gen(function* () {
      const secret = "hidden-word"
      const one = `postgres://u:${secret}@a/b`
      for (const url of [
        `https://${secret}@a/b`,
        secret,
        `postgres://u:${secret}@a:port/b`,
        `${one} ${one}`,
        `${one}\n${one}`,
      ]) {
        const { faults } = yield* Effect.flip(readUrl(url))
        assert.lengthOf(faults, 1)
        assert.match(faults[0]!, /^DATABASE_READ_URL: expected (one URL|a connection string of PostgreSQL)/)
        assert.notInclude(faults.join(), secret)
      }
      const local = yield* Effect.flip(readSettings({ DATABASE_READ_URL: "postgres://u@h/b" }))
      assert.match(local.faults.join(), /no value without DATABASE_URL/)
    }),
  )
})
