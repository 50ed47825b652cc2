import { Effect, Layer, Schedule } from "effect"
import type * as Migrator from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import { awaitingDatabase, type DatabaseUnusable } from "@launch-registry/postgres/AwaitDatabase"
import { appliedMigrations } from "./Migrate.ts"
import { migrations } from "./Migrations.ts"
import type { SchemaUnreleased } from "./SchemaUnreleased.ts"

const LOOK_MILLIS = 1_000
/** Missing migrations named in the log. */
const NAMED_MAX = 5

const nameOf = (id: number, name: string): string => `${String(id).padStart(4, "0")}_${name}`

/** Names of those of these migrations that the database lacks. Newer ones in the database are not looked at. */
const missingMigrations = Effect.fnUntraced(function* (wanted: Migrator.Loader) {
  const needed = yield* wanted
  const applied = yield* appliedMigrations(needed)
  return needed.flatMap(([id, name]) => (applied.has(id) ? [] : [nameOf(id, name)]))
})

/**
 * Waits until the database has these migrations, by default all of this version, applied by another process. A schema that is newer is
 * accepted: migrations leave what earlier versions read.
 */
export const awaitMigrations = (
  wanted: Migrator.Loader = migrations,
): Effect.Effect<void, DatabaseUnusable | SchemaUnreleased, SqlClient> =>
  Effect.suspend(() => {
    let said = ""
    const look = Effect.gen(function* () {
      const missing = yield* missingMigrations(wanted)
      const more = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : ""
      const names = missing.slice(0, NAMED_MAX).join(", ") + more
      if (missing.length > 0 && said !== names)
        yield* Effect.logWarning(
          `The database lacks migrations that this version needs: ${names}. Waiting for them, because MIGRATE is false`,
        )
      said = names
      return missing.length === 0
    })
    return Effect.asVoid(
      Effect.repeat(awaitingDatabase(look), {
        schedule: Schedule.spaced(LOOK_MILLIS),
        until: (isDone: boolean) => isDone,
      }),
    )
  })

/** Waits before dependent layers are built. */
export const layer = Layer.effectDiscard(awaitMigrations()).pipe(Layer.orDie)
