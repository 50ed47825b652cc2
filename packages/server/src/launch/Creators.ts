import { CREATOR_LAUNCHES_MAX, type CreatorFigures } from "@launch-registry/domain/launch/CreatorFigures"
import { LIFE } from "@launch-registry/domain/launch/StoredCandle"
import type { Address } from "@launch-registry/domain/solana/Address"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

interface OfQuote {
  readonly quoteMint: Address
  readonly launches: number
  readonly graduated: number
  readonly quoteVolume: string
}

/** Reads figures of creators, from what is indexed; their work is bounded by {@link CREATOR_LAUNCHES_MAX}. */
export const creatorFigures = Effect.gen(function* () {
  const sql = yield* SqlClient

  // One launch more than counts says that there are more.
  // Candles are looked up one by one: in one join, the planner would read the whole table for a creator of thousands.
  const launches = (creator: string, most: number) => sql<OfQuote>`
    with newest as (
      select base_mint, quote_mint, stage from launch_listings
      where creator = ${creator} order by launched_at desc, pool desc limit ${most + 1}
    )
    select n.quote_mint, count(*)::integer as launches, (count(*) filter (where n.stage = 'migrated'))::integer as graduated,
      coalesce(sum(c.quote_volume), 0) as quote_volume
    from newest n
    left join lateral (
      select quote_volume from candles where base_mint = n.base_mint and seconds = ${LIFE}::integer limit 1
    ) c on true
    group by n.quote_mint order by launches desc, n.quote_mint`

  const earned = (wallet: string) => sql<CreatorFigures["earned"][number]>`
    select quote_mint, kind, count(*)::text as claims, sum(quote_amount) as quote_amount from fee_claims
    where wallet = ${wallet} and quote_mint is not null group by quote_mint, kind order by quote_mint, kind`

  return Effect.fn("creatorFigures")(function* (creator: Address) {
    const volumes = yield* Effect.orDie(launches(creator, CREATOR_LAUNCHES_MAX))
    const sum = (of: (row: OfQuote) => number) => volumes.reduce((total, row) => total + of(row), 0)
    const [all, graduated] = [sum((row) => row.launches), sum((row) => row.graduated)]
    return {
      creator,
      launches: all,
      graduated,
      graduatedShare: all === 0 ? null : graduated / all,
      isWhole: all <= CREATOR_LAUNCHES_MAX,
      volumes: volumes.map(({ graduated: _graduated, ...volume }) => volume),
      earned: yield* Effect.orDie(earned(creator)),
      links: {
        launches: `/api/launch/pools?creator=${creator}&registered=any`,
        claims: `/api/launch/claims?walletAddress=${creator}`,
      },
    }
  })
})
