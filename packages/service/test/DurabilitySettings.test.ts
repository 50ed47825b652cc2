import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const readWith = (environment: Readonly<Record<string, string>>) => readSettings({ ...PRODUCTION, ...environment })

describe("The durability that is demanded", () => {
  it.effect("is none by default, or what an acknowledged write must survive", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* readWith({})).durability)
      for (const level of ["local", "replicated"] as const)
        assert.strictEqual((yield* readWith({ DATABASE_DURABILITY: level })).durability, level)
    }),
  )

  it.effect("is a fault when it is nothing known, or more than the embedded database can give", () =>
    Effect.gen(function* () {
      const unknown = yield* Effect.flip(readWith({ DATABASE_DURABILITY: "on" }))
      assert.deepStrictEqual(unknown.faults, ["DATABASE_DURABILITY: expected local or replicated"])
      const local = yield* Effect.flip(readSettings({ DATABASE_DURABILITY: "replicated" }))
      assert.match(local.faults.join(), /the embedded database has no standby/)
    }),
  )
})
