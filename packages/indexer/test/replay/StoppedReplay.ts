import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { rebuildSchema } from "../../src/sink/RebuildSchema.ts"

class Stopped extends Data.TaggedError("Stopped") {}

/** Stops a replay after so many batches, as the death of its leader does. */
export const stopAfter = (batches: number) => {
  let left = batches
  return () => Effect.suspend(() => (left-- === 0 ? Effect.fail(new Stopped()) : Effect.void))
}

/** Makes the live tables those of an earlier version, which derived them otherwise. */
export const derivedByOthers = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update indexer_progress set module_hash = 'modules of an earlier version'`
  yield* sql`update trades set fee = fee + 1`
  yield* sql`delete from candles where seconds = 60`
})

/** How far the rebuilt tables are. */
export const rebuildProgress = Effect.flatMap(SqlClient, (sql) => rebuildSchema(sql).progress)

/** Dead letters, in the order of the chain. */
export const lettersOf = Effect.flatMap(
  SqlClient,
  (sql) =>
    sql<{ readonly signature: string }>`select slot, signature, reason from dead_letters order by slot, signature`,
)
