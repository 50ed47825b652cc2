import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Config, Effect } from "effect"
import * as Database from "@launch-registry/postgres/Database"
import { fileSettings } from "@launch-registry/postgres/FileSettings"
import { migrate } from "./Migrate.ts"

/** Migrates the database of DATABASE_URL and exits: the migration step of a deployment. */
const program = Effect.gen(function* () {
  const url = yield* Config.Redacted("DATABASE_URL")
  const applied = yield* Effect.provide(migrate(), Database.layer({ url }))
  yield* Effect.log(
    applied.length === 0 ? "Nothing to migrate" : `Applied ${applied.map(([, name]) => name).join(", ")}`,
  )
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

// Only the message: a stack trace would bury it.
const main = Effect.tapCause(Effect.provide(program, fileSettings), (cause) =>
  Effect.sync(() => process.stderr.write(`${messageOf(Cause.squash(cause))}\n`)),
)

NodeRuntime.runMain(main, { disableErrorReporting: true })
