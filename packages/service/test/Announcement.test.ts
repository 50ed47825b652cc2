import { sampleAddress } from "./Samples.ts"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Layer, Logger, References } from "effect"
import { Announcement } from "../src/Announcement.ts"
import { readSettings } from "../src/Settings.ts"

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

const PRODUCTION = {
  RUN_MODE: "production",
  NETWORK: "devnet",
  DATABASE_URL: "postgres://somebody@db.example/registry",
  RPC_URL: "https://rpc.example",
  PUBLIC_URL: "https://registry.example",
}
const OPEN = { WRITE_AUTH: "off" }

const naming = (...launchpads: ReadonlyArray<string>) => ({
  LAUNCHPADS: JSON.stringify(
    Object.fromEntries(launchpads.map((name) => [name, { dbcConfig: { feeClaimer: sampleAddress() } }])),
  ),
})

describe("The start", () => {
  it.effect("says who claims trading fees when no claimer is set, and warns of it in production", () =>
    Effect.gen(function* () {
      const local = yield* said({})
      const line =
        "Fees       trading fees of launchpad_a, launchpad_b go to the signer, because LAUNCHPADS sets no feeClaimer"
      assert.include(local.printed, line)
      assert.deepStrictEqual(local.logged, [])

      const one = yield* said({ ...PRODUCTION, ...OPEN, ...naming("launchpad_a") })
      assert.strictEqual(one.printed, "")
      assert.lengthOf(one.logged, 2)
      assert.match(
        one.logged[0]!,
        /^Info Token Launch Registry is up .*"fees":"trading fees of launchpad_b go to the signer/,
      )
      assert.match(one.logged[1]!, /^Warn .* of launchpad_b go to the signer/)
    }),
  )

  it.effect("says nothing of it when all are set, or where no launch is built", () =>
    Effect.gen(function* () {
      for (const environment of [naming("launchpad_a", "launchpad_b"), { ROLE: "indexer" }]) {
        const { logged, printed } = yield* said({ ...PRODUCTION, ...OPEN, ...environment })
        assert.strictEqual(printed, "")
        assert.lengthOf(logged, 1)
        assert.notInclude(logged[0]!, "fees")
      }
    }),
  )

  it.effect("warns in production that strangers may write, unless that is meant", () =>
    Effect.gen(function* () {
      const named = { ...PRODUCTION, ...naming("launchpad_a", "launchpad_b") }
      const warnings = (environment: Readonly<Record<string, string>>) =>
        Effect.map(said({ ...named, ...environment }), ({ logged }) => logged.slice(1))
      for (const environment of [{}, { ROLE: "api" }, { ADMIN_KEY: "x".repeat(32) }, { HOST: "10.0.0.1" }])
        assert.deepStrictEqual(yield* warnings(environment), [
          "Warn Anyone may write, because WRITE_AUTH is not set; WRITE_AUTH=off says that this is meant {}",
        ])
      for (const environment of [
        ...[OPEN, { WRITE_AUTH: "api-key" }, { WRITE_AUTH: "wallet" }, { ROLE: "indexer" }],
        ...["localhost", "127.0.0.1", "::1"].map((HOST) => ({ HOST })),
      ])
        assert.deepStrictEqual(yield* warnings(environment), [], JSON.stringify(environment))
      assert.deepStrictEqual((yield* said({ ...named, RUN_MODE: "development" })).logged, [])
    }),
  )
})
