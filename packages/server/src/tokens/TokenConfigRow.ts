import { BaseFeeParams, DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import type { TokenConfig, TokenDetails } from "@launch-registry/domain/tokens/Token"
import { losslessKeys } from "@launch-registry/http/answers/LosslessKeys"
import { columnsOf } from "@launch-registry/postgres/SchemaRow"

/**
 * Each field has a column of its name; groups are documents, except for `baseFeeParams`, whose fields have their own
 * columns.
 */
type Columns = Omit<DbcConfig, "baseFeeParams"> & typeof BaseFeeParams.Type

const { baseFeeParams: _baseFee, ...own } = DbcConfig.fields
const OWN_FIELDS = Object.keys(own)
const BASE_FEE_FIELDS = Object.keys(BaseFeeParams.fields)
const FIELDS = [...OWN_FIELDS, ...BASE_FEE_FIELDS]

/** Fields with exact decimals, also within groups: strings in code and documents, numbers in responses. */
const AMOUNTS = losslessKeys(DbcConfig)

/** Columns of `token_dbc_configs`, null where the configuration is absent. */
export type TokenConfigRow = {
  readonly tokenId: string
  readonly quoteMint: NonNullable<TokenConfig["quoteMint"]> | null
  readonly hasDbcConfig: boolean | null
} & { readonly [Field in keyof Columns]-?: NonNullable<Columns[Field]> | null }

/** A token without a row there. */
export interface NoConfigRow {
  readonly tokenId: null
}

export const NO_CONFIG_COLUMN = 'null as "tokenId"'

/** With table alias `c`. */
export const TOKEN_CONFIG_COLUMNS = columnsOf("c", ["tokenId", "quoteMint", "hasDbcConfig", ...FIELDS])

type Group = Readonly<Record<string, unknown>>

const isGroup = (value: unknown): value is Group => typeof value === "object" && value !== null && !Array.isArray(value)

/** Column values of a configuration; `json` marks a document for the driver. */
export const fromDbcConfig = (dbcConfig: DbcConfig | undefined, json: (group: unknown) => unknown) => {
  const { baseFeeParams, ...fields } = dbcConfig ?? {}
  const values: Group = { ...fields, ...baseFeeParams }
  const held = (value: unknown = null) => (typeof value === "object" && value !== null ? json(value) : value)
  return {
    hasDbcConfig: dbcConfig !== undefined,
    ...Object.fromEntries(FIELDS.map((field) => [field, held(values[field])])),
  }
}

/** The row of `token_dbc_configs` for a token. */
export const fromTokenConfig = (
  tokenId: string,
  { dbcConfig, quoteMint }: TokenConfig,
  json: (group: unknown) => unknown,
) => ({ tokenId, quoteMint: quoteMint ?? null, ...fromDbcConfig(dbcConfig, json) })

/**
 * A number that JSON.stringify writes with exactly these digits (ECMAScript proposal: JSON.parse source text access).
 */
const exactNumber = (JSON as unknown as { readonly rawJSON: (text: string) => number }).rawJSON

/** These fields in a response; null means absent. */
const answered = (values: Group, fields: ReadonlyArray<string>): Group => {
  const answer: Record<string, unknown> = {}
  for (const field of fields) {
    const value = values[field]
    if (value === null) continue
    if (AMOUNTS.has(field)) answer[field] = exactNumber(String(value))
    else answer[field] = isGroup(value) ? answered(value, Object.keys(value)) : value
  }
  return answer
}

type AnsweredDbcConfig = NonNullable<NonNullable<TokenDetails["tokenConfig"]>["dbcConfig"]>

/** The registered configuration, its amounts as numbers with all their digits. */
export const toTokenConfig = (row: TokenConfigRow | NoConfigRow): TokenDetails["tokenConfig"] => {
  if (row.tokenId === null) return undefined
  const baseFeeParams = answered(row, BASE_FEE_FIELDS)
  return {
    ...(row.quoteMint !== null && { quoteMint: row.quoteMint }),
    ...(row.hasDbcConfig === true && {
      dbcConfig: {
        ...answered(row, OWN_FIELDS),
        ...(Object.keys(baseFeeParams).length > 0 && { baseFeeParams }),
      } as AnsweredDbcConfig,
    }),
  }
}
