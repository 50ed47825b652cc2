import { NATIVE_DECIMALS } from "@launch-registry/chain/pools/Pools"
import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { quoteProgress } from "@launch-registry/chain/dbc/CurveProgress"
import { marketCapInQuote, priceInQuote } from "@launch-registry/chain/venues/Prices"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { TOTAL_SUPPLY } from "../facts/ChainFacts.ts"
import type { LearnCurves } from "./LearnCurves.ts"

/** Tokens that are remembered; the one that was looked up longest ago goes first. */
const TOKENS_MAX = 20_000
/** What is not known yet is looked up again after this. */
const RETRY_MILLIS = 2_000

/** What turns a sqrt price of a token into figures; null while it is not known. Once known it changes with a revert alone. */
export interface TokenFacts {
  readonly baseMint: string
  readonly quoteMint: string
  readonly config: string
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
  /** Before the migration, in smallest units. */
  readonly supply: bigint | null
  readonly migrationQuoteThreshold: bigint | null
  /** At the launch, in whole tokens. */
  readonly totalSupply: string | null
  /** Option of the configuration, 0 to 4. */
  readonly tokenUpdateAuthority: number | null
}

/** What a trade says of a token, or its last one; null where it is not known. */
export interface TradeState {
  readonly sqrtPrice: bigint | null
  /** Raised on the curve. */
  readonly quoteReserve: bigint | null
  readonly venue: Venue | null
}

/** Price, market cap and progress of a token; null where they are not known. */
export const tradeFigures = (
  facts: Pick<TokenFacts, "baseDecimals" | "quoteDecimals" | "supply" | "migrationQuoteThreshold"> | undefined,
  { quoteReserve, sqrtPrice, venue }: TradeState,
) => {
  const { baseDecimals = null, migrationQuoteThreshold = null, quoteDecimals = null, supply = null } = facts ?? {}
  const isPriced = sqrtPrice !== null && quoteDecimals !== null
  const isOver = venue !== null && venue !== "dbc"
  const isRaising = quoteReserve !== null && migrationQuoteThreshold !== null
  return {
    price: isPriced && baseDecimals !== null ? priceInQuote(sqrtPrice, baseDecimals, quoteDecimals) : null,
    marketCap: isPriced && supply !== null ? marketCapInQuote(sqrtPrice, supply, quoteDecimals) : null,
    quoteProgress: isOver ? 1 : isRaising ? quoteProgress(quoteReserve, { migrationQuoteThreshold }) : null,
  }
}

type FactsRow = Omit<TokenFacts, "supply" | "migrationQuoteThreshold"> & {
  readonly supply: string | null
  readonly migrationQuoteThreshold: string | null
}

export const bigintOf = (text: string | null) => (text === null ? null : BigInt(text))

/** From the index and from what was learnt of configurations: of each mint that has a pool, in one statement. */
export const selectTokenFacts = (sql: SqlClient, mints: ReadonlyArray<string>) =>
  Effect.map(
    sql<FactsRow>`
      select m.mint as base_mint, p.quote_mint, p.config, coalesce(p.decimals, c.token_decimal, k.base_decimals) as base_decimals,
        case when p.quote_mint = ${NATIVE_MINT} then ${NATIVE_DECIMALS}::smallint else k.quote_decimals end as quote_decimals,
        k.supply, k.migration_quote_threshold, k.token_update_authority, ${sql.literal(TOTAL_SUPPLY)} as total_supply
      from unnest(${mints}::text[]) m (mint)
      cross join lateral (
        select * from dbc_pools where base_mint = m.mint order by created_slot, pool limit 1
      ) p
      left join dbc_configs c on c.config = p.config
      left join launch_configs k on k.config_address = p.config`,
    (rows) =>
      rows.map((row): TokenFacts => ({
        ...row,
        supply: bigintOf(row.supply),
        migrationQuoteThreshold: bigintOf(row.migrationQuoteThreshold),
      })),
  )

/** The same for readers of every trade: one statement for those that are not remembered. */
export const tokenFacts = (sql: SqlClient, curves: LearnCurves["Service"]) => {
  const known = new Map<string, { readonly facts: TokenFacts | undefined; readonly until: number }>()

  const remember = (mint: string, facts: TokenFacts | undefined, now: number) => {
    known.delete(mint)
    // The supply comes with all else.
    known.set(mint, { facts, until: facts?.supply == null ? now + RETRY_MILLIS : Number.POSITIVE_INFINITY })
    if (known.size > TOKENS_MAX) known.delete(known.keys().next().value!)
  }

  /** Facts of these tokens, by mint. `reverted` are those whose launch may be another one from now on. */
  return Effect.fnUntraced(function* (mints: ReadonlySet<string>, reverted: ReadonlyArray<string>) {
    for (const mint of reverted) known.delete(mint)
    const now = yield* Clock.currentTimeMillis
    const found = new Map<string, TokenFacts>()
    const asked: Array<string> = []
    for (const mint of mints) {
      const { facts, until = now } = known.get(mint) ?? {}
      if (until <= now) asked.push(mint)
      else if (facts !== undefined) found.set(mint, facts)
    }
    const rows = asked.length === 0 ? [] : yield* selectTokenFacts(sql, asked)
    for (const row of rows) found.set(row.baseMint, row)
    for (const mint of asked) remember(mint, found.get(mint), now)
    yield* curves.learn(rows.flatMap(({ config, supply }) => (supply === null ? [config] : [])))
    return found as ReadonlyMap<string, TokenFacts>
  })
}
