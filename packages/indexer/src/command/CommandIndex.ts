import * as ClickHouse from "@launch-registry/clickhouse/ClickHouse"
import { HISTORY_URL, parseHistoryUrl } from "@launch-registry/clickhouse/HistoryUrl"
import * as AwaitMigrations from "@launch-registry/migrations/AwaitMigrations"
import * as Migrate from "@launch-registry/migrations/Migrate"
import { commandDatabase } from "@launch-registry/postgres/embedded/CommandDatabase"
import * as Database from "@launch-registry/postgres/Database"
import { Config, Effect, Layer, Option, Redacted, Schema } from "effect"
import { postgresLog } from "../inbox/PostgresLog.ts"
import { Indexer } from "../Indexer.ts"
import { Sink } from "../sink/Sink.ts"
import { CommandFailed } from "./CommandFailed.ts"

const migrateSetting = Config.schema(Schema.Literals(["true", "false"]), "MIGRATE").pipe(
  Config.withDefault("true"),
  Effect.mapError(() => new CommandFailed({ reason: "MIGRATE has to be true or false" })),
)

/** ClickHouse, where the setting names it that the service has as well. */
const history = Layer.unwrap(
  Effect.gen(function* () {
    const text = Option.getOrElse(yield* Config.option(Config.Redacted("HISTORY_URL")), () => Redacted.make(""))
    if (Redacted.value(text) === "") return Layer.empty
    const url = parseHistoryUrl(Redacted.value(text))
    return url === undefined
      ? yield* new CommandFailed({ reason: `HISTORY_URL: expected ${HISTORY_URL}` })
      : ClickHouse.layer(url)
  }),
)

/** The index in the database of a command, migrated here or, as for a service, elsewhere. */
export const commandIndex = Layer.unwrap(
  Effect.gen(function* () {
    const address = yield* commandDatabase
    // Nobody else migrates an embedded database.
    const isMigrating = (yield* migrateSetting) === "true" || !("url" in address)
    const migrated = isMigrating ? Migrate.layer : AwaitMigrations.layer
    const database = migrated.pipe(Layer.provideMerge(Database.layer(address)))
    return Indexer.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(postgresLog, Sink.layer)),
      Layer.provideMerge(Layer.mergeAll(database, history)),
    )
  }),
)
