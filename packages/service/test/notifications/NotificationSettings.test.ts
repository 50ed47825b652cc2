import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../../src/Settings.ts"
import { PRODUCTION } from "../ProductionSettings.ts"

const ADMIN_KEY = "CANARY-of-an-admin-key-that-is-long-enough"
const SECRET = "CANARY-of-a-master-secret-that-is-long-enough"
const ON = { ...PRODUCTION, ADMIN_KEY, NOTIFICATIONS_SECRET: SECRET }

const faultsOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(environment)), ({ faults, message }) => {
    assert.notInclude(message, "CANARY")
    return faults
  })

describe("Settings of notifications", () => {
  it.effect("switch them on with a secret, which needs credentials for the routes", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone((yield* readSettings(PRODUCTION)).notifications))
      const { masterSecrets, ...others } = Option.getOrThrow((yield* readSettings(ON)).notifications)
      assert.deepStrictEqual(masterSecrets.map(Redacted.value), [SECRET])
      assert.deepStrictEqual(others, { allowsPrivate: false })
      const local = yield* readSettings({ ADMIN_KEY, NOTIFICATIONS_SECRET: SECRET })
      assert.isTrue(Option.getOrThrow(local.notifications).allowsPrivate)
      const { ADMIN_KEY: _, ...open } = ON
      assert.deepStrictEqual(yield* faultsOf(open), [
        "NOTIFICATIONS_SECRET: expected ADMIN_KEY or WRITE_AUTH to be set as well",
      ])
      for (const WRITE_AUTH of ["api-key", "wallet"])
        assert.isTrue(Option.isSome((yield* readSettings({ ...open, WRITE_AUTH })).notifications))
    }),
  )

  it.effect("are refused where they are wrong", () =>
    Effect.gen(function* () {
      for (const NOTIFICATIONS_SECRET of ["CANARY", [SECRET, SECRET, SECRET].join(",")])
        assert.match(
          (yield* faultsOf({ ...ON, NOTIFICATIONS_SECRET })).join(),
          /^NOTIFICATIONS_SECRET: expected [^:]*$/,
        )
    }),
  )
})
