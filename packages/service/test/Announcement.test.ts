import { sampleAddress } from "./Samples.ts"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Layer, Logger } from "effect"
import { Announcement } from "../src/Announcement.ts"
import { readSettings } from "../src/Settings.ts"

/** The printed and logged lines at the start, with these settings. */
const said = Effect.fn(function* (environment: Readonly<Record<string, string>>) {
  const printed: Array<string> = []
  const logged: Array<string> = []
  const settings = yield* readSettings(environment)
  const console_ = { ...globalThis.console, log: (line: string) => void printed.push(line) }
  yield* Layer.build(Announcement.print(settings).pipe(Layer.provide(Announcement.layer))).pipe(
    Effect.scoped,
    Effect.provideService(Console.Console, console_ as unknown as Console.Console),
    Effect.provide(Logger.layer([Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${message}`))])),
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

      const one = yield* said({ ...PRODUCTION, ...naming("launchpad_a") })
      assert.include(one.printed, "Fees       trading fees of launchpad_b go to the signer")
      assert.lengthOf(one.logged, 1)
      assert.match(one.logged[0]!, /^Warn .* of launchpad_b go to the signer/)
    }),
  )

  it.effect("says nothing of it when all are set, or where no launch is built", () =>
    Effect.gen(function* () {
      for (const environment of [naming("launchpad_a", "launchpad_b"), { ROLE: "indexer" }]) {
        const { logged, printed } = yield* said({ ...PRODUCTION, ...environment })
        assert.notInclude(printed, "Fees")
        assert.deepStrictEqual(logged, [])
      }
    }),
  )
})
