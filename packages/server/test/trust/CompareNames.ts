import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { tokenSkeletons } from "../../src/trust/TokenSkeletons.ts"

/** Compares all names with what they are compared by, once more. */
export const compareNames = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { startOver, step } = tokenSkeletons(sql)
  yield* startOver
  yield* Effect.repeat(step, { until: (isCompared) => isCompared })
})

/** What `token_skeletons` has, without its order. */
export const storedSkeletons = Effect.flatMap(
  SqlClient,
  (sql) => sql<Readonly<Record<string, unknown>>>`select * from token_skeletons order by mint_address, field, skeleton`,
)

/** What was traded of a token in seven days. */
export const trading = Effect.fn(function* (baseMint: string, quoteVolume: string, traders = 1) {
  const sql = yield* SqlClient
  yield* sql`
    insert into trading_windows (span, base_mint, traders, trades, quote_volume)
    values ('7d', ${baseMint}, ${traders}::int, 1, ${quoteVolume}::numeric)
    on conflict (span, base_mint) do update set quote_volume = excluded.quote_volume, traders = excluded.traders`
})
