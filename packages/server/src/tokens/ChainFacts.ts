import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import { plain } from "@launch-registry/domain/text/PlainText"
import { isWebUri } from "@launch-registry/domain/text/WebUri"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import type { TokenChange, TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import type { Contradiction } from "@launch-registry/domain/tokens/TokenErrors"
import type { SqlClient } from "effect/sql/SqlClient"
import { columnsOf } from "@launch-registry/postgres/SchemaRow"

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

/** Where each of the facts is, of `dbc_pools p` with {@link CHAIN_FACTS_JOINS}. Decimals that no token can have are not known. */
const SOURCES: Readonly<Record<keyof ChainFactsRow, string>> = {
  baseMint: "p.base_mint",
  quoteMint: "p.quote_mint",
  pool: "p.pool",
  config: "p.config",
  creator: "p.creator",
  name: "p.name",
  symbol: "p.symbol",
  uri: "p.uri",
  poolType: "p.pool_type",
  decimals: "case when p.decimals between 0 and 18 then p.decimals end",
  totalSupply: WHOLE_SUPPLY,
  isMigrated: "p.migrated_slot is not null",
  createdAt: "p.created_at",
  launchpad: "l.launchpad",
  feeClaimer: "d.fee_claimer",
  leftoverReceiver: "d.leftover_receiver",
}
export const CHAIN_FACTS_COLUMNS = columnsOf("p", Object.keys(SOURCES), SOURCES)
export const CHAIN_FACTS_JOINS = `left join launch_configs l on l.config_address = p.config
  left join dbc_configs d on d.config = p.config`

/** What the chain says of these mints. A mint is launched once; of two pools that claim it the first counts. */
export const selectChainFacts = (sql: SqlClient, mints: ReadonlyArray<string>) => sql<ChainFactsRow>`
  select distinct on (p.base_mint) ${sql.literal(CHAIN_FACTS_COLUMNS)}
  from dbc_pools p ${sql.literal(CHAIN_FACTS_JOINS)}
  where p.base_mint = any(${mints}::text[])
  order by p.base_mint, p.created_slot, p.pool`

/** What the chain says of each of these fields; null where it does not. */
type Said<Of> = { readonly [Field in keyof Of]?: (facts: ChainFactsRow) => string | number | null }

const symbolOf = ({ baseMint, symbol }: ChainFactsRow) => plain(symbol, SYMBOL_LENGTH_MAX) || baseMint.slice(0, 6)

/** Labels are shown without characters that deceive, and never empty; a URI that is none for the web is left out. */
const TOKEN_SAID = {
  name: (facts) => plain(facts.name, NAME_LENGTH_MAX) || symbolOf(facts),
  symbol: symbolOf,
  owner: ({ creator }) => creator,
  tokenUri: ({ uri }) => (isWebUri(uri) ? uri : ""),
  totalSupply: ({ totalSupply }) => totalSupply,
  decimals: ({ decimals }) => decimals,
  launchpad: ({ launchpad }) => launchpad,
} satisfies Said<TokenDraft>

const CONFIG_SAID = {
  feeClaimer: ({ feeClaimer }) => feeClaimer,
  leftoverReceiver: ({ leftoverReceiver }) => leftoverReceiver,
  tokenType: ({ poolType }) => poolType,
  tokenBaseDecimal: ({ decimals }) => decimals,
} satisfies Said<DbcConfig>

/** Columns of `tokens`, and fields of the DBC configuration, that the chain may say something of. */
export const TOKEN_CLAIMS = Object.keys(TOKEN_SAID) as ReadonlyArray<keyof typeof TOKEN_SAID>
export const CONFIG_CLAIMS = Object.keys(CONFIG_SAID) as ReadonlyArray<keyof typeof CONFIG_SAID>

type Values<Field extends string> = { readonly [Name in Field]?: string | number }

const saidOf =
  <Field extends string>(said: Readonly<Record<Field, (facts: ChainFactsRow) => string | number | null>>) =>
  (facts: ChainFactsRow) =>
    Object.fromEntries(
      (Object.keys(said) as Array<Field>).flatMap((field) => {
        const value = said[field](facts)
        return value === null ? [] : [[field, value]]
      }),
    ) as Values<Field>

/** Columns of `tokens` as the chain has them. What it does not say is left out. */
export const chainColumns = saidOf(TOKEN_SAID)

/** What of the DBC configuration the indexer knows. */
export const chainConfig = saidOf(CONFIG_SAID)

type Value = Contradiction["sent"]

const compared = (sent: Readonly<Record<string, unknown>>, onChain: Readonly<Record<string, unknown>>, path = "") =>
  Object.entries(onChain).flatMap(([field, value]): ReadonlyArray<Contradiction> => {
    const given = sent[field]
    return given === undefined || given === value
      ? []
      : [{ field: `${path}${field}`, onChain: value as Value, sent: given as Value }]
  })

/** What of a registration contradicts the chain. A link that was left out may be sent as an empty string. */
export const contradictionsOfDraft = (draft: TokenDraft, facts: ChainFactsRow): ReadonlyArray<Contradiction> => {
  const { tokenConfig, tokenUri, ...columns } = draft
  return [
    ...compared({ ...columns, ...(tokenUri && { tokenUri }) }, chainColumns(facts)),
    ...compared({ ...tokenConfig }, { quoteMint: facts.quoteMint }, "tokenConfig."),
    ...compared({ ...tokenConfig?.dbcConfig }, chainConfig(facts), "tokenConfig.dbcConfig."),
  ]
}

/** What of a change contradicts the chain. A launch that trades on its curve may be marked as ended, but not the other way round. */
export const contradictionsOfChange = (change: TokenChange, facts: ChainFactsRow): ReadonlyArray<Contradiction> => [
  ...compared(change, chainColumns(facts)),
  ...(facts.isMigrated ? compared(change, { active: false }) : []),
]
