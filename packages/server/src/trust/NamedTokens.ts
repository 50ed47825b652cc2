import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import type { TokenFields } from "@launch-registry/domain/tokens/Token"
import type { RowOf } from "@launch-registry/postgres/SchemaRow"
import type { SqlClient } from "effect/sql/SqlClient"
import { shownTexts } from "../facts/ChainFacts.ts"

/** Over which tokens are larger or smaller than others. */
export const SIZE_SPAN: PopularInterval = "7d"

/** The binary logarithm of a volume in `trading_windows w`; null without one. */
export const SIZE = "case when w.quote_volume >= 1 then floor(log(2, w.quote_volume))::smallint end"

/** What a token is called. */
export interface LabelRow {
  readonly mintAddress: string
  /** As registered; null for a launch that is not. */
  readonly name: string | null
  readonly symbol: string | null
  /** As it is called on chain, as last read; null where no launch is indexed. */
  readonly chainName: string | null
  readonly chainSymbol: string | null
}

/** The same, and what else is known of it. */
export interface NamedRow extends LabelRow {
  readonly createdSlot: bigint | null
  readonly quoteMint: string | null
  /** When it was registered; null if it is not. */
  readonly createdAt: Date | null
  readonly isVerified: boolean
  readonly size: number | null
  /** Of the configuration of the pool; null while it is not known. */
  readonly tokenUpdateAuthority: number | null
  /** Whether nobody can change what it is called, as last read from the chain; null before. */
  readonly isFinal: boolean | null
}

const LABELS =
  "m.mint as mint_address, t.name, t.symbol, coalesce(n.name, p.name) as chain_name, coalesce(n.symbol, p.symbol) as chain_symbol"

/**
 * Registered tokens `t` and launches `p` of mints `m`. Of two pools with the same mint the first counts. Each mint is looked up: the
 * planner cannot look through a limit, and would read a whole table where it expects more mints than there are.
 */
const named = (sql: SqlClient, mints: ReadonlyArray<string>) => sql`
  unnest(${mints}::text[]) m (mint)
  left join lateral (select * from tokens where mint_address = m.mint and deleted_at is null limit 1) t on true
  left join lateral (
    select name, symbol, created_slot, quote_mint, config from dbc_pools where base_mint = m.mint order by created_slot, pool limit 1
  ) p on true
  left join lateral (select name, symbol, is_final, slot from token_labels where mint = m.mint limit 1) n on p.created_slot is not null`

/** What registered tokens and launches of these mints are called; others are absent. */
export const labelRows = (sql: SqlClient, mints: ReadonlyArray<string>) => sql<LabelRow>`
  select ${sql.literal(LABELS)} from ${named(sql, mints)} where t.id is not null or p.created_slot is not null`

/** The same, and what else is known of them. */
export const namedRows = (sql: SqlClient, mints: ReadonlyArray<string>) => sql<NamedRow>`
  select ${sql.literal(LABELS)}, p.created_slot, p.quote_mint, t.created_at, coalesce(t.verified, false) as is_verified,
    case when p.quote_mint is not null then ${sql.literal(SIZE)} end as size,
    k.token_update_authority, case when n.slot > 0 then n.is_final end as is_final
  from ${named(sql, mints)}
  left join lateral (select token_update_authority from launch_configs where config_address = p.config limit 1) k on true
  left join lateral (select * from trading_windows where span = ${SIZE_SPAN} and base_mint = m.mint limit 1) w on true
  where t.id is not null or p.created_slot is not null`

/** The same of a registered token of which no launch is known. */
export const unlaunchedRow = ({
  createdAt,
  mintAddress,
  name,
  symbol,
  verified,
}: RowOf<Pick<TokenFields, "createdAt" | "mintAddress" | "name" | "symbol" | "verified">>): NamedRow => ({
  ...{ mintAddress, name, symbol, createdAt, isVerified: verified },
  ...{ chainName: null, chainSymbol: null, createdSlot: null, quoteMint: null, size: null },
  ...{ tokenUpdateAuthority: null, isFinal: null },
})

/** What it is shown as: by the chain where that says it. */
export const shownLabels = ({ chainName, chainSymbol, mintAddress, ...registered }: LabelRow) => {
  if (chainName === null || chainSymbol === null)
    return { name: registered.name ?? "", symbol: registered.symbol ?? "" }
  return shownTexts({ baseMint: mintAddress, name: chainName, symbol: chainSymbol })
}
