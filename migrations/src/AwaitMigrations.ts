import { Effect, Layer, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { awaitingDatabase, type DatabaseUnusable } from "@launch-registry/postgres/AwaitDatabase"
import { appliedMigrations } from "./Migrate.ts"
import { firstMigrations } from "./Migrations.ts"

const LOOK_MILLIS = 1_000
/** Missing migrations named in the log. */
const NAMED_MAX = 5

const nameOf = (id: number, name: string): string => `${String(id).padStart(4, "0")}_${name}`

/** Names of the migrations that the database lacks. Newer ones in the database are not looked at. */
const missingMigrations = Effect.gen(function* () {
  const needed = yield* firstMigrations()
  const applied = yield* appliedMigrations
  return needed.flatMap(([id, name]) => (applied.has(id) ? [] : [nameOf(id, name)]))
})

/**
 * Waits until the database has every migration of this version, applied by another process. A schema that is newer is
 * accepted: migrations leave what earlier versions read.
 */
export const awaitMigrations = (): Effect.Effect<void, DatabaseUnusable, SqlClient> =>
  Effect.suspend(() => {
    let said = ""
    const look = Effect.gen(function* () {
      const missing = yield* missingMigrations
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
