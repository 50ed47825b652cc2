import { Config, Effect, Option, Schema } from "effect"
import { embeddedPostgres } from "./EmbeddedPostgres.ts"

/** No setting says which database a command is for. */
class DatabaseNotNamed extends Schema.TaggedError<DatabaseNotNamed>()("DatabaseNotNamed", {}) {
  override get message(): string {
    return "DATABASE_URL has to be set, or DATA_FOLDER for the embedded database"
  }
}

/** The database of `DATABASE_URL`, or the embedded one in `DATA_FOLDER`, which runs only as long as its service or this command does. */
export const commandDatabase = Effect.gen(function* () {
  const url = yield* Config.option(Config.Redacted("DATABASE_URL"))
  if (Option.isSome(url)) return { url: url.value }
  const folder = yield* Config.option(Config.NonEmptyString("DATA_FOLDER"))
  if (Option.isSome(folder)) return (yield* embeddedPostgres({ folder: folder.value })).address
  return yield* new DatabaseNotNamed()
})
