import { PositionDirectory } from "@launch-registry/chain/claims/PositionDirectory"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Positions of migrations as the index has them; those that another version has indexed are without. */
export const migrationPositions = Layer.effect(
  PositionDirectory,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const find = Effect.fn("PositionDirectory.find")(function* (baseMint: string) {
      const [row] = yield* sql<{ readonly first: string | null; readonly second: string | null }>`
        select e.facts ->> 'firstPositionMint' as first, e.facts ->> 'secondPositionMint' as second
        from dbc_pools p
        cross join lateral (
          select facts from dbc_events
          where pool = p.pool and type = 'PoolMigrated' order by ordinal, signature limit 1
        ) e
        where p.base_mint = ${baseMint} and jsonb_exists(e.facts, 'firstPositionMint')
        limit 1`.pipe(Effect.orDie)
      return row && [row.first, row.second].filter((mint) => mint !== null)
    })

    return { find }
  }),
)
