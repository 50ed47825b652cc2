import { readFileSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Config, Effect, Redacted } from "effect"
import * as Database from "@launch-registry/postgres/Database"
import { migrate } from "./Migrate.ts"

/** The connection string, or the file that holds it, as the service reads them. */
const databaseUrl = Config.Redacted("DATABASE_URL").pipe(
  Config.orElse(() =>
    Config.map(Config.NonEmptyString("DATABASE_URL_FILE"), (file) => Redacted.make(readFileSync(file, "utf8").trim())),
  ),
)

/** Migrates the database of DATABASE_URL and exits: the migration step of a deployment. */
const program = Effect.gen(function* () {
  const url = yield* databaseUrl
  const applied = yield* Effect.provide(migrate(), Database.layer({ url }))
  yield* Effect.log(
    applied.length === 0 ? "Nothing to migrate" : `Applied ${applied.map(([, name]) => name).join(", ")}`,
  )
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

// Only the message: a stack trace would bury it.
const main = Effect.tapCause(program, (cause) =>
  Effect.sync(() => process.stderr.write(`${messageOf(Cause.squash(cause))}\n`)),
)

NodeRuntime.runMain(main, { disableErrorReporting: true })
