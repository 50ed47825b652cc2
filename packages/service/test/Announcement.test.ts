import { sampleAddress } from "./Samples.ts"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Layer, Logger, References } from "effect"
import { Announcement } from "../src/Announcement.ts"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

/** The printed and logged lines at the start, with these settings. */
const said = Effect.fn(function* (environment: Readonly<Record<string, string>>) {
  const printed: Array<string> = []
  const logged: Array<string> = []
  const settings = yield* readSettings(environment)
  const console_ = { ...globalThis.console, log: (line: string) => void printed.push(line) }
  yield* Layer.build(Announcement.print(settings, "0.0.0-test").pipe(Layer.provide(Announcement.layer))).pipe(
    Effect.scoped,
    Effect.provideService(Console.Console, console_ as unknown as Console.Console),
    Effect.provide(
      Logger.layer([
        Logger.make(({ fiber, logLevel, message }) => {
          const facts = fiber.getRef(References.CurrentLogAnnotations)
          logged.push(`${logLevel} ${String(message)} ${JSON.stringify(facts)}`)
        }),
      ]),
    ),
  )
  return { printed: printed.join("\n"), logged }
})

const OPEN = { ...PRODUCTION, WRITE_AUTH: "off" }

const naming = (...launchpads: ReadonlyArray<string>) => ({
  LAUNCHPADS: JSON.stringify(
    Object.fromEntries(launchpads.map((name) => [name, { dbcConfig: { feeClaimer: sampleAddress() } }])),
  ),
})
const NAMED = naming("launchpad_a", "launchpad_b")

describe("The start", () => {
  it.effect(
    "says who claims trading fees where launches are built and no claimer is set, and warns of it in production",
    () =>
      Effect.gen(function* () {
        const local = yield* said({})
        assert.match(local.printed, /^.*launchpad_a, launchpad_b go to the signer.*$/m)
        assert.deepStrictEqual(local.logged, [])
        const one = yield* said({ ...OPEN, ...naming("launchpad_a") })
        assert.strictEqual(one.printed, "")
        assert.lengthOf(one.logged, 2)
        assert.match(one.logged[0]!, /^Info .*"fees":".*launchpad_b go to the signer/)
        assert.match(one.logged[1]!, /^Warn .* of launchpad_b go to the signer/)
        for (const environment of [NAMED, { ROLE: "indexer" }]) {
          const { logged } = yield* said({ ...OPEN, ...environment })
          assert.lengthOf(logged, 1)
          assert.notInclude(logged[0]!, "fees")
        }
      }),
  )

  it.effect("warns in production that strangers may write, unless that is meant", () =>
    Effect.gen(function* () {
      const warnings = (environment: Readonly<Record<string, string>>) =>
        Effect.map(said({ ...PRODUCTION, ...NAMED, ...environment }), ({ logged }) => logged.slice(1))
      for (const environment of [{}, { ROLE: "api" }, { ADMIN_KEY: "x".repeat(32) }, { HOST: "10.0.0.1" }])
        assert.match(
          (yield* warnings(environment)).join("\n"),
          /^Warn Anyone may write, because WRITE_AUTH is not set.*$/,
        )
      for (const environment of [
        ...[{ WRITE_AUTH: "off" }, { WRITE_AUTH: "api-key" }, { WRITE_AUTH: "wallet" }, { ROLE: "indexer" }],
        ...["localhost", "127.0.0.1", "::1"].map((HOST) => ({ HOST })),
      ])
        assert.deepStrictEqual(yield* warnings(environment), [], JSON.stringify(environment))
      assert.deepStrictEqual((yield* said({ ...PRODUCTION, ...NAMED, RUN_MODE: "development" })).logged, [])
    }),
  )
})
