import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const faultsOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings({ ...PRODUCTION, ...environment })), ({ faults }) => faults)

describe("Settings of replicas", () => {
  it.effect("are none by default", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* readSettings(PRODUCTION)).replicas, [])
    }),
  )

  it.effect("are connection strings, separated by spaces or lines", () =>
    Effect.gen(function* () {
      const [one, other] = ["postgres://u:p@a,b/registry", "postgresql://u:p@c:5433/registry?sslmode=disable"]
      const { replicas } = yield* readSettings({
        ...PRODUCTION,
        DATABASE_READ_URL: ` ${one}\n ${other}\n`,
      })
      assert.deepStrictEqual(replicas.map(Redacted.value), [one, other])
    }),
  )

  it.effect("that are wrong are named without their values", () =>
    Effect.gen(function* () {
      const secret = "hidden-word"
      for (const DATABASE_READ_URL of [`https://${secret}@a/b`, secret, `postgres://u:${secret}@a:port/b`]) {
        const faults = yield* faultsOf({ DATABASE_READ_URL })
        assert.lengthOf(faults, 1)
        assert.match(faults[0]!, /^DATABASE_READ_URL: expected connection strings of PostgreSQL/)
        assert.notInclude(faults.join(), secret)
      }
      const many = Array.from({ length: 17 }, (_, at) => `postgres://u@h${at}/b`).join(" ")
      assert.match((yield* faultsOf({ DATABASE_READ_URL: many })).join(), /at most 16/)
      const local = Effect.flip(readSettings({ DATABASE_READ_URL: "postgres://u@h/b" }))
      assert.match((yield* local).faults.join(), /no value without DATABASE_URL/)
    }),
  )
})
