import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { LaunchMetadata } from "@launch-registry/domain/launch/LaunchRequests"
import { Token, TokenLinks } from "@launch-registry/domain/tokens/Token"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { LAUNCHER_OF_POOL } from "../facts/LaunchEvent.ts"

/** What was sent to the launch endpoints for a launch that is now on chain. */
export interface BuiltLaunchRow {
  readonly baseMint: string
  readonly dbcConfig: DbcConfig | null
  readonly configMetadata: LaunchMetadata | null
  /** Without name and symbol, which must equal those on chain. */
  readonly deployMetadata: Omit<LaunchMetadata, "name" | "symbol"> | null
}

/**
 * What was built here for the launches of these mints, by mint. Anyone can have anything built, so it counts only if
 * the chain matches: the configuration with these accounts, the token by this signer with this name, symbol and URI.
 */
export const builtLaunches = (sql: SqlClient, mints: ReadonlyArray<string>) =>
  Effect.map(select(sql, mints), (rows) => new Map(rows.map((row) => [row.baseMint, row])))

const select = (sql: SqlClient, mints: ReadonlyArray<string>) => sql<BuiltLaunchRow>`
  select p.base_mint,
    case when d.config is null or (
      d.quote_mint = l.quote_mint and d.fee_claimer = l.dbc_config ->> 'feeClaimer'
      and d.leftover_receiver = l.dbc_config ->> 'leftoverReceiver' and coalesce(d.token_decimal = l.token_decimals, true)
    ) then l.dbc_config end as dbc_config,
    case when l.signer = launched.creator and l.metadata ->> 'name' = p.name and l.metadata ->> 'symbol' = p.symbol
      then l.metadata end as config_metadata,
    m.metadata as deploy_metadata
  from dbc_pools p
  left join launch_configs l on l.config_address = p.config
  left join dbc_configs d on d.config = p.config
  cross join lateral (select ${sql.literal(LAUNCHER_OF_POOL)} as creator) launched
  left join launch_deployments m on m.base_mint = p.base_mint and m.signer = launched.creator and m.uri = p.uri
    and m.config_address = p.config and m.name = p.name and m.symbol = p.symbol
  where p.base_mint = any(${mints}::text[]) and (l.signer is not null or m.base_mint is not null)`

/** Texts of a token that are not on chain. A link that LaunchMetadata lacks does not compile. */
export type TokenText = "description" | Exclude<keyof TokenLinks, "tokenUri">
export const TOKEN_TEXTS = Object.keys({ description: Token.fields.description, ...TokenLinks.fields }).filter(
  (field): field is TokenText => field !== "tokenUri",
)

/** Description and links of a token: from the deployment, else from its configuration. Absent ones are left out. */
export const builtTexts = ({
  configMetadata,
  deployMetadata,
}: BuiltLaunchRow): Readonly<Partial<Record<TokenText, string>>> =>
  Object.fromEntries(
    TOKEN_TEXTS.flatMap((field) => {
      const text = deployMetadata?.[field] || configMetadata?.[field]
      return text ? [[field, text]] : []
    }),
  )
