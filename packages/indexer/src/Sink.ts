import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Block } from "./Block.ts"
import { type DatabaseChanges, MANIFEST } from "./DatabaseChanges.ts"
import { poolStatements } from "./PoolStatements.ts"
import { tradeStatements } from "./TradeStatements.ts"

/** Another indexer moved the cursor: this one must stop, or it would write what the other one has undone. */
export class CursorMoved extends Schema.TaggedError<CursorMoved>()("CursorMoved", {
  expected: Schema.NullOr(Schema.String),
  found: Schema.NullOr(Schema.String),
}) {}

/**
 * Writes what blocks change. Rows, what they overwrote, and the cursor are committed together, so a crash loses nothing
 * and repeats nothing; a block that was written before changes nothing.
 */
export class Sink extends Context.Service<
  Sink,
  {
    readonly cursor: Effect.Effect<Option.Option<string>, SqlError>
    readonly write: (block: Block, previous: Option.Option<string>) => Effect.Effect<void, CursorMoved | SqlError>
    /** Takes back everything above `lastValidSlot`, newest first, and moves the cursor there. */
    readonly undo: (lastValidSlot: bigint) => Effect.Effect<void, SqlError>
  }
>()("@launch-registry/indexer/Sink") {
  static readonly layer = Layer.effect(
    Sink,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const id = MANIFEST.hash
      const pools = poolStatements(sql)
      const trades = tradeStatements(sql)

      const cursor = Effect.map(sql<{ cursor: string }>`select cursor from cursors where id = ${id}`, ([row]) =>
        Option.fromNullishOr(row?.cursor),
      )

      const setCursor = (next: string, slot: bigint) => sql`
        insert into cursors (id, cursor, block_num) values (${id}, ${next}, ${slot})
        on conflict (id) do update set cursor = excluded.cursor, block_num = excluded.block_num`

      /** Two writers queue here, also on the very first block, when there is no row to lock yet. */
      const lock = sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`

      const write = Effect.fn("Sink.write")((block: Block, previous: Option.Option<string>) =>
        Effect.gen(function* () {
          yield* lock
          const found = yield* cursor
          if (Option.getOrNull(found) !== Option.getOrNull(previous)) {
            return yield* new CursorMoved({ expected: Option.getOrNull(previous), found: Option.getOrNull(found) })
          }
          const changes = MANIFEST.run(block) as DatabaseChanges
          for (const config of changes.configs) yield* pools.insertConfig(config, block.slot)
          for (const pool of changes.pools) yield* pools.insertPool(pool, block.slot)
          for (const stage of changes.stages) yield* pools.setStage(stage, block.slot)
          if (Array.isReadonlyArrayNonEmpty(changes.trades)) yield* trades.insert(changes.trades)
          yield* setCursor(block.cursor, block.slot)
        }).pipe(sql.withTransaction),
      )

      const undo = Effect.fn("Sink.undo")((lastValidSlot: bigint) =>
        Effect.gen(function* () {
          yield* lock
          yield* trades.deleteAbove(lastValidSlot)
          yield* pools.restoreAbove(lastValidSlot)
          yield* setCursor(String(lastValidSlot), lastValidSlot)
        }).pipe(sql.withTransaction),
      )

      return Sink.of({ cursor, write, undo })
    }),
  )
}
