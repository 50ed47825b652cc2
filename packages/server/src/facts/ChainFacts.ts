import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import { plain } from "@launch-registry/domain/text/PlainText"
import { isWebUri, LoopbackLinks } from "@launch-registry/domain/text/WebUri"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import type { TokenChange, TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import type { Contradiction } from "@launch-registry/domain/tokens/TokenErrors"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { columnsOf } from "@launch-registry/postgres/SchemaRow"

const NAME_LENGTH_MAX = 128
const SYMBOL_LENGTH_MAX = 32

/** What the indexer knows of the launch of a mint, and what it is called by now. */
export interface ChainFactsRow {
  readonly baseMint: string
  readonly quoteMint: string
  readonly pool: string
  readonly config: string
  readonly creator: string
  readonly name: string
  readonly symbol: string
  /** As {@link withShownUris} leaves it. */
  readonly uri: string
  /** 0 SPL Token, 1 Token-2022. */
  readonly poolType: number
  readonly decimals: number | null
  /** In whole tokens. */
  readonly totalSupply: string | null
  readonly isMigrated: boolean
  readonly createdAt: Date
  /** Null if the configuration was not built here. */
  readonly launchpad: Launchpad | null
  readonly feeClaimer: string | null
  readonly leftoverReceiver: string | null
}

/** A supply in whole tokens; null if out of range. Multiplied, because quotients of numerics are rounded to 16 digits. */
const wholeSupply = (supply: string, decimals: string) => `case when ${decimals} between 0 and 18 and ${supply} >= 0
    then trim_scale(${supply} * ('1e-' || ${decimals})::numeric) end`

/** That of `dbc_pools p`. */
export const WHOLE_SUPPLY = wholeSupply("p.supply", "p.decimals")

/** Decimals and supply of `dbc_pools p`, or else of its configuration: `dbc_configs c` and `launch_configs k`. */
const [DECIMALS, SUPPLY] = ["coalesce(p.decimals, c.token_decimal, k.base_decimals)", "coalesce(p.supply, k.supply)"]
export const TOTAL_SUPPLY = wholeSupply(SUPPLY, DECIMALS)
export const SIZE_COLUMNS = `case when ${DECIMALS} between 0 and 18 then ${DECIMALS} end as decimals, ${TOTAL_SUPPLY} as total_supply`

/**
 * The SQL expression of each fact, for `dbc_pools p` with {@link CHAIN_FACTS_JOINS}. Decimals out of range are null.
 */
const SOURCES: Readonly<Record<keyof ChainFactsRow, string>> = {
  baseMint: "p.base_mint",
  quoteMint: "p.quote_mint",
  pool: "p.pool",
  config: "p.config",
  creator: "p.creator",
  name: "coalesce(n.name, p.name)",
  symbol: "coalesce(n.symbol, p.symbol)",
  uri: "coalesce(n.uri, p.uri)",
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
export const CHAIN_FACTS_JOINS = `left join token_labels n on n.mint = p.base_mint
  left join launch_configs l on l.config_address = p.config
  left join dbc_configs d on d.config = p.config`

/** The same rows, where a URI that is no link to display is empty. */
export const withShownUris = <Row extends Pick<ChainFactsRow, "uri">>(rows: ReadonlyArray<Row>) =>
  Effect.map(LoopbackLinks, (takesLoopback) =>
    rows.map((row) => (isWebUri(row.uri, takesLoopback) ? row : { ...row, uri: "" })),
  )

/** Facts of these mints. A mint is launched once; of two pools with the same mint the first counts. */
export const selectChainFacts = (sql: SqlClient, mints: ReadonlyArray<string>) =>
  Effect.flatMap(
    sql<ChainFactsRow>`
  select distinct on (p.base_mint) ${sql.literal(CHAIN_FACTS_COLUMNS)}
  from dbc_pools p ${sql.literal(CHAIN_FACTS_JOINS)}
  where p.base_mint = any(${mints}::text[])
  order by p.base_mint, p.created_slot, p.pool`,
    withShownUris,
  )

/** How to derive fields from chain facts; null if unknown. */
type FromChain<Of> = { readonly [Field in keyof Of]?: (facts: ChainFactsRow) => string | number | null }

/** What the creator of a launch chose freely. */
type ChosenTexts = Pick<ChainFactsRow, "baseMint" | "name" | "symbol">

const symbolOf = ({ baseMint, symbol }: ChosenTexts) => plain(symbol, SYMBOL_LENGTH_MAX) || baseMint.slice(0, 6)
const nameOf = (texts: ChosenTexts) => plain(texts.name, NAME_LENGTH_MAX) || symbolOf(texts)

/** Labels lose deceptive characters and are never empty. */
export const shownTexts = (texts: ChosenTexts) => ({ name: nameOf(texts), symbol: symbolOf(texts) })

const TOKEN_FIELDS = {
  name: nameOf,
  symbol: symbolOf,
  owner: ({ creator }) => creator,
  tokenUri: ({ uri }) => uri,
  totalSupply: ({ totalSupply }) => totalSupply,
  decimals: ({ decimals }) => decimals,
  launchpad: ({ launchpad }) => launchpad,
} satisfies FromChain<TokenDraft>

const CONFIG_FIELDS = {
  feeClaimer: ({ feeClaimer }) => feeClaimer,
  leftoverReceiver: ({ leftoverReceiver }) => leftoverReceiver,
  tokenType: ({ poolType }) => poolType,
  tokenBaseDecimal: ({ decimals }) => decimals,
} satisfies FromChain<DbcConfig>

/** Columns of `tokens`, and fields of the DBC configuration, that can be known from the chain. */
export const TOKEN_CLAIMS = Object.keys(TOKEN_FIELDS) as ReadonlyArray<keyof typeof TOKEN_FIELDS>
export const CONFIG_CLAIMS = Object.keys(CONFIG_FIELDS) as ReadonlyArray<keyof typeof CONFIG_FIELDS>

type Values<Field extends string> = { readonly [Name in Field]?: string | number }

const valuesFrom =
  <Field extends string>(fields: Readonly<Record<Field, (facts: ChainFactsRow) => string | number | null>>) =>
  (facts: ChainFactsRow) =>
    Object.fromEntries(
      (Object.keys(fields) as Array<Field>).flatMap((field) => {
        const value = fields[field](facts)
        return value === null ? [] : [[field, value]]
      }),
    ) as Values<Field>

/** Columns of `tokens` as known from the chain. Unknown ones are left out. */
export const chainColumns = valuesFrom(TOKEN_FIELDS)

/** Fields of the DBC configuration as known from the chain. */
export const chainConfig = valuesFrom(CONFIG_FIELDS)

type Value = Contradiction["sent"]

const compared = (sent: Readonly<Record<string, unknown>>, onChain: Readonly<Record<string, unknown>>, path = "") =>
  Object.entries(onChain).flatMap(([field, value]): ReadonlyArray<Contradiction> => {
    const given = sent[field]
    return given === undefined || given === value
      ? []
      : [{ field: `${path}${field}`, onChain: value as Value, sent: given as Value }]
  })

/** Fields that can be changed on chain after the launch, of which the index does not hear. */
const CHANGEABLE: ReadonlySet<string> = new Set(["name", "symbol", "tokenUri"] satisfies ReadonlyArray<
  keyof typeof TOKEN_FIELDS
>)

/** Whether the chain may say otherwise by now. */
export const mayHaveChanged = (contradictions: ReadonlyArray<Contradiction>): boolean =>
  contradictions.some(({ field }) => CHANGEABLE.has(field))

/** Fields of a registration that contradict the chain. An absent link may be sent as an empty string. */
export const contradictionsOfDraft = (draft: TokenDraft, facts: ChainFactsRow): ReadonlyArray<Contradiction> => {
  const { tokenConfig, tokenUri, ...columns } = draft
  return [
    ...compared({ ...columns, ...(tokenUri && { tokenUri }) }, chainColumns(facts)),
    ...compared({ ...tokenConfig }, { quoteMint: facts.quoteMint }, "tokenConfig."),
    ...compared({ ...tokenConfig?.dbcConfig }, chainConfig(facts), "tokenConfig.dbcConfig."),
  ]
}

/** Fields of a change that contradict the chain. A launch on its curve may be marked as ended, but not the reverse. */
export const contradictionsOfChange = (change: TokenChange, facts: ChainFactsRow): ReadonlyArray<Contradiction> => [
  ...compared(change, chainColumns(facts)),
  ...(facts.isMigrated ? compared(change, { active: false }) : []),
]
