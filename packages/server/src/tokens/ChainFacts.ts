import { plain } from "@launch-registry/domain/text/PlainText"
import { isWebUri } from "@launch-registry/domain/text/WebUri"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import type { TokenChange, TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import type { Contradiction } from "@launch-registry/domain/tokens/TokenErrors"
import type { SqlClient } from "effect/sql/SqlClient"

const NAME_LENGTH_MAX = 128
const SYMBOL_LENGTH_MAX = 32

/** What the indexer knows of the launch of a mint. */
export interface ChainFactsRow {
  readonly baseMint: string
  readonly quoteMint: string
  readonly pool: string
  readonly config: string
  readonly creator: string
  readonly name: string
  readonly symbol: string
  readonly uri: string
  /** 0 SPL Token, 1 Token-2022. */
  readonly poolType: number
  readonly decimals: number | null
  /** In whole tokens. */
  readonly totalSupply: string | null
  readonly isMigrated: boolean
  readonly createdAt: Date
  /** Null when the configuration was not built here. */
  readonly launchpad: Launchpad | null
  readonly feeClaimer: string | null
  readonly leftoverReceiver: string | null
}

/**
 * The supply of `dbc_pools p` in whole tokens; null where no token can have it. Multiplied, because a quotient of numerics is
 * rounded to 16 digits.
 */
export const WHOLE_SUPPLY = `case when p.decimals between 0 and 18 and p.supply >= 0
    then trim_scale(p.supply * ('1e-' || p.decimals)::numeric) end`

/** Columns of {@link ChainFactsRow}, of `dbc_pools p` with {@link CHAIN_FACTS_JOINS}. Decimals that no token can have are not known. */
export const CHAIN_FACTS_COLUMNS = `p.base_mint, p.quote_mint, p.pool, p.config, p.creator, p.name, p.symbol, p.uri, p.pool_type,
  case when p.decimals between 0 and 18 then p.decimals end as decimals,
  ${WHOLE_SUPPLY} as total_supply,
  p.migrated_slot is not null as is_migrated, p.created_at, l.launchpad, d.fee_claimer, d.leftover_receiver`
export const CHAIN_FACTS_JOINS = `left join launch_configs l on l.config_address = p.config
  left join dbc_configs d on d.config = p.config`

/** What the chain says of these mints. A mint is launched once; of two pools that claim it the first counts. */
export const selectChainFacts = (sql: SqlClient, mints: ReadonlyArray<string>) => sql<ChainFactsRow>`
  select distinct on (p.base_mint) ${sql.literal(CHAIN_FACTS_COLUMNS)}
  from dbc_pools p ${sql.literal(CHAIN_FACTS_JOINS)}
  where p.base_mint = any(${mints}::text[])
  order by p.base_mint, p.created_slot, p.pool`

/** Columns of `tokens` as the chain has them. What it does not say is left out. */
export interface ChainColumns {
  readonly name: string
  readonly symbol: string
  readonly owner: string
  readonly tokenUri: string
  readonly totalSupply?: string
  readonly decimals?: number
  readonly launchpad?: Launchpad
}

/** Labels are shown without characters that deceive, and never empty; a URI that is none for the web is left out. */
export const chainColumns = (facts: ChainFactsRow): ChainColumns => {
  const symbol = plain(facts.symbol, SYMBOL_LENGTH_MAX) || facts.baseMint.slice(0, 6)
  return {
    name: plain(facts.name, NAME_LENGTH_MAX) || symbol,
    symbol,
    owner: facts.creator,
    tokenUri: isWebUri(facts.uri) ? facts.uri : "",
    ...(facts.totalSupply !== null && { totalSupply: facts.totalSupply }),
    ...(facts.decimals !== null && { decimals: facts.decimals }),
    ...(facts.launchpad !== null && { launchpad: facts.launchpad }),
  }
}

/** What of the DBC configuration the indexer knows, by its field; null where it does not. */
export const chainConfig = ({ decimals, feeClaimer, leftoverReceiver, poolType }: ChainFactsRow) => ({
  ...{ feeClaimer, leftoverReceiver, tokenType: poolType, tokenBaseDecimal: decimals },
})

type Value = Contradiction["sent"]

const compared = (sent: Readonly<Record<string, unknown>>, onChain: Readonly<Record<string, unknown>>, path = "") =>
  Object.entries(onChain).flatMap(([field, value]): ReadonlyArray<Contradiction> => {
    const given = sent[field]
    return given === undefined || value === null || given === value
      ? []
      : [{ field: `${path}${field}`, onChain: value as Value, sent: given as Value }]
  })

/** What of a registration contradicts the chain. A link that was left out may be sent as an empty string. */
export const contradictionsOfDraft = (draft: TokenDraft, facts: ChainFactsRow): ReadonlyArray<Contradiction> => {
  const { tokenConfig, tokenUri, ...columns } = draft
  return [
    ...compared({ ...columns, ...(tokenUri && { tokenUri }) }, { ...chainColumns(facts) }),
    ...compared({ ...tokenConfig }, { quoteMint: facts.quoteMint }, "tokenConfig."),
    ...compared({ ...tokenConfig?.dbcConfig }, chainConfig(facts), "tokenConfig.dbcConfig."),
  ]
}

/** What of a change contradicts the chain. A launch that trades on its curve may be marked as ended, but not the other way round. */
export const contradictionsOfChange = (change: TokenChange, facts: ChainFactsRow): ReadonlyArray<Contradiction> => [
  ...compared(change, { ...chainColumns(facts) }),
  ...(facts.isMigrated ? compared(change, { active: false }) : []),
]
