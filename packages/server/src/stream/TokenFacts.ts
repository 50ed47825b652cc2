import { NATIVE_DECIMALS } from "@launch-registry/chain/pools/Pools"
import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { LearnCurves } from "../launch/LearnCurves.ts"

/** Tokens that are remembered; the one that was looked up longest ago goes first. */
const TOKENS_MAX = 20_000
/** What is not known yet is looked up again after this. */
const RETRY_MILLIS = 2_000

/** What turns a sqrt price of a token into figures; null while it is not known. Once known it changes with a revert alone. */
export interface TokenFacts {
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
  /** Before the migration, in smallest units. */
  readonly supply: bigint | null
  readonly migrationQuoteThreshold: bigint | null
}

interface FactsRow {
  readonly baseMint: string
  readonly quoteMint: string
  readonly config: string
  readonly decimals: number | null
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
  readonly supply: string | null
  readonly migrationQuoteThreshold: string | null
}

const UNKNOWN: TokenFacts = { baseDecimals: null, quoteDecimals: null, supply: null, migrationQuoteThreshold: null }

const factsOf = (row: FactsRow): TokenFacts => ({
  baseDecimals: row.baseDecimals ?? row.decimals,
  quoteDecimals: row.quoteDecimals ?? (row.quoteMint === NATIVE_MINT ? NATIVE_DECIMALS : null),
  supply: row.supply === null ? null : BigInt(row.supply),
  migrationQuoteThreshold: row.migrationQuoteThreshold === null ? null : BigInt(row.migrationQuoteThreshold),
})

/** Facts of tokens from the index and from what was learnt of configurations: one statement for those that are not remembered. */
export const tokenFacts = (sql: SqlClient, curves: LearnCurves["Service"]) => {
  const known = new Map<string, { readonly facts: TokenFacts; readonly until: number }>()

  const remember = (mint: string, facts: TokenFacts, now: number) => {
    known.delete(mint)
    // The supply comes with all else.
    known.set(mint, { facts, until: facts.supply === null ? now + RETRY_MILLIS : Number.POSITIVE_INFINITY })
    if (known.size > TOKENS_MAX) known.delete(known.keys().next().value!)
  }

  /** Facts of these tokens, by mint. `reverted` are those whose launch may be another one from now on. */
  return Effect.fnUntraced(function* (mints: ReadonlySet<string>, reverted: ReadonlyArray<string>) {
    for (const mint of reverted) known.delete(mint)
    const now = yield* Clock.currentTimeMillis
    const found = new Map<string, TokenFacts>()
    const asked: Array<string> = []
    for (const mint of mints) {
      const entry = known.get(mint)
      if (entry === undefined || entry.until <= now) asked.push(mint)
      else found.set(mint, entry.facts)
    }
    if (asked.length > 0) {
      const rows = yield* sql<FactsRow>`
        select m.mint as base_mint, p.quote_mint, p.config, coalesce(p.decimals, c.token_decimal) as decimals,
          k.base_decimals, k.quote_decimals, k.supply, k.migration_quote_threshold
        from unnest(${asked}::text[]) m (mint)
        cross join lateral (
          select * from dbc_pools where base_mint = m.mint order by created_slot, pool limit 1
        ) p
        left join dbc_configs c on c.config = p.config
        left join launch_configs k on k.config_address = p.config`
      for (const row of rows) found.set(row.baseMint, factsOf(row))
      for (const mint of asked) remember(mint, found.get(mint) ?? UNKNOWN, now)
      yield* curves.learn(rows.flatMap(({ config, supply }) => (supply === null ? [config] : [])))
    }
    return found as ReadonlyMap<string, TokenFacts>
  })
}
