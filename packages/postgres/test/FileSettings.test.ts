import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { fileSettings } from "../src/FileSettings.ts"

const read = (env: Record<string, string>) =>
  Effect.map(Config.option(Config.Redacted("DATABASE_URL")), Option.map(Redacted.value)).pipe(
    Effect.provide(Layer.provide(fileSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env })))),
  )

it.effect("a setting of a command is its variable, or else what is in the file that <NAME>_FILE names", () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-settings-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true })),
    )
    const file = join(folder, "database_url")
    writeFileSync(file, "postgres://from-file\n")
    assert.deepStrictEqual(yield* read({ DATABASE_URL_FILE: file }), Option.some("postgres://from-file"))
    assert.deepStrictEqual(
      yield* read({ DATABASE_URL: "postgres://from-variable", DATABASE_URL_FILE: file }),
      Option.some("postgres://from-variable"),
    )
    assert.deepStrictEqual(
      yield* read({ DATABASE_URL: "", DATABASE_URL_FILE: file }),
      Option.some("postgres://from-file"),
    )
    assert.deepStrictEqual(yield* read({ DATABASE_URL_FILE: "" }), Option.none())
    const fault = yield* Effect.flip(read({ DATABASE_URL_FILE: join(folder, "none") }))
    assert.include(fault.message, "DATABASE_URL_FILE: expected a readable file")
  }).pipe(Effect.scoped),
)
