import { type Token, TokenDetails, TokenFields, TokenLinks } from "@launch-registry/domain/tokens/Token"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import type { Position } from "@launch-registry/http/answers/Cursor"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { picking, columnsOf, type RowOf } from "@launch-registry/postgres/SchemaRow"
import { type DocumentColumn, documentColumn, withDocument } from "../metadata/FetchedDocuments.ts"
import { TOKEN_CONFIG_COLUMNS, type TokenConfigRow, toTokenConfig } from "./TokenConfigRow.ts"

/** A token as returned by the driver. Columns were validated on insert. */
export type TokenRow = RowOf<TokenFields> & TokenLinks

/** Columns of a token in a list, with table alias `t`. */
export const TOKEN_COLUMNS = columnsOf("t", Object.keys({ ...TokenFields.fields, ...TokenLinks.fields }))

/** The row must have exactly these columns. */
export const toToken = ({ bannerUri, telegram, tokenUri, twitter, website, ...row }: TokenRow): Token => ({
  ...row,
  createdAt: timestampOf(row.createdAt),
  updatedAt: timestampOf(row.updatedAt),
  metadata: { tokenUri, bannerUri, website, twitter, telegram },
})

const {
  document: _document,
  market: _market,
  metadata: _links,
  tokenConfig: _config,
  trust: _trust,
  ...details
} = TokenDetails.fields

/** Fields of a single token that are columns of `tokens`. */
type Stored = Omit<TokenDetails, "document" | "market" | "metadata" | "tokenConfig" | "trust">

const DETAILS = `${columnsOf("t", Object.keys({ ...details, ...TokenLinks.fields }))}, ${TOKEN_CONFIG_COLUMNS}`
const DOCUMENT = documentColumn("t.mint_address", "t.token_uri")

/** Columns of a single token with its links, its configuration and its document, with table alias `t`. */
export const TOKEN_DETAILS_COLUMNS = `${DETAILS}, ${DOCUMENT}`

export type TokenDetailsRow = RowOf<Stored> & TokenLinks & TokenConfigRow & { readonly document: DocumentColumn | null }

const toDetails = picking<Stored>(details)
const toLinks = picking<TokenLinks>(TokenLinks.fields)

export const toTokenDetails = (row: TokenDetailsRow): TokenDetails => {
  const tokenConfig = toTokenConfig(row)
  const token = { ...toDetails(row), metadata: toLinks(row) }
  return { ...token, ...withDocument(row.document, token), ...(tokenConfig !== undefined && { tokenConfig }) }
}

/** Single tokens for which `which`, a condition on `tokens t`, holds. */
export const selectTokenDetails = (sql: SqlClient, which: Fragment) => sql<TokenDetailsRow>`
  select ${sql.literal(DETAILS)}, f.document from tokens t cross join lateral (select ${sql.literal(DOCUMENT)}) f
  where ${which} and t.deleted_at is null`

export const selectTokenById = (sql: SqlClient, id: string) => selectTokenDetails(sql, sql`t.id = ${id}::uuid`)

export const positionOf = ({ createdAt, id }: TokenRow): Position => ({ createdAt, id })
