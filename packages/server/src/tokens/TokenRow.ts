import type { Token, TokenDetails, TokenLinks } from "@launch-registry/domain/tokens/Token"
import type { Position } from "../http/Cursor.ts"
import { type TokenConfigRow, toTokenConfig } from "./TokenConfigRow.ts"

/** Columns of a token in a list, of table alias `t`. */
export const TOKEN_COLUMNS =
  "t.id, t.mint_address, t.name, t.symbol, t.description, t.total_supply, t.decimals, t.owner, t.launchpad, t.tags, t.active, t.created_at, t.updated_at"

/** A token as the driver gives it; what the columns hold was checked when it was written. */
export interface TokenRow {
  readonly id: Token["id"]
  readonly mintAddress: Token["mintAddress"]
  readonly name: string
  readonly symbol: string
  readonly description: string
  readonly totalSupply: string
  readonly decimals: number
  readonly owner: Token["owner"]
  readonly launchpad: Token["launchpad"]
  readonly tags: ReadonlyArray<string>
  readonly active: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const toToken = (row: TokenRow): Token => ({
  id: row.id,
  mintAddress: row.mintAddress,
  name: row.name,
  symbol: row.symbol,
  description: row.description,
  totalSupply: row.totalSupply,
  decimals: row.decimals,
  owner: row.owner,
  launchpad: row.launchpad,
  tags: row.tags,
  active: row.active,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Columns of a single token with its links and configuration, of `tokens t left join token_dbc_configs c`. */
export const TOKEN_DETAILS_COLUMNS = `${TOKEN_COLUMNS}, t.token_uri, t.banner_uri, t.website, t.twitter, t.telegram, t.pool, t.config, c.*`

export type TokenDetailsRow = TokenRow & TokenLinks & Pick<TokenDetails, "pool" | "config"> & TokenConfigRow

export const toTokenDetails = (row: TokenDetailsRow): TokenDetails => {
  const tokenConfig = toTokenConfig(row)
  return {
    ...toToken(row),
    metadata: {
      tokenUri: row.tokenUri,
      bannerUri: row.bannerUri,
      website: row.website,
      twitter: row.twitter,
      telegram: row.telegram,
    },
    pool: row.pool,
    config: row.config,
    ...(tokenConfig === undefined ? {} : { tokenConfig }),
  }
}

export const positionOf = ({ createdAt, id }: TokenRow): Position => ({ createdAt, id })
