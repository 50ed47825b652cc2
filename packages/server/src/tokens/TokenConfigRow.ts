import { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { TokenConfig, TokenDetails } from "@launch-registry/domain/tokens/Token"
import { losslessKeys } from "@launch-registry/http/answers/LosslessKeys"
import { columnsOf } from "@launch-registry/postgres/SchemaRow"

/** Fields with exact decimals, also within groups: strings in code and in the column, numbers in responses. */
const AMOUNTS = losslessKeys(DbcConfig)
const FIELDS = Object.keys(DbcConfig.fields)

/** Columns of `tokens` with the configuration of a launch; the DBC configuration is a document. */
export interface TokenConfigRow {
  readonly quoteMint: NonNullable<TokenConfig["quoteMint"]> | null
  readonly dbcConfig: DbcConfig | null
}

/** With table alias `t`. */
export const TOKEN_CONFIG_COLUMNS = columnsOf("t", ["quoteMint", "dbcConfig"])

/**
 * A number that JSON.stringify writes with exactly these digits (ECMAScript proposal: JSON.parse source text access).
 */
const exactNumber = (JSON as unknown as { readonly rawJSON: (text: string) => number }).rawJSON

const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** These fields of a document in a response. */
const answered = (values: object, fields: ReadonlyArray<string> = Object.keys(values)): object => {
  const answer: Record<string, unknown> = {}
  for (const field of fields) {
    const value = (values as Readonly<Record<string, unknown>>)[field]
    if (value === undefined) continue
    if (AMOUNTS.has(field)) answer[field] = exactNumber(String(value))
    else answer[field] = isGroup(value) ? answered(value) : value
  }
  return answer
}

type AnsweredDbcConfig = NonNullable<NonNullable<TokenDetails["tokenConfig"]>["dbcConfig"]>

/** The registered configuration, its amounts as numbers with all their digits. */
export const toTokenConfig = ({ dbcConfig, quoteMint }: TokenConfigRow): TokenDetails["tokenConfig"] => {
  if (dbcConfig === null && quoteMint === null) return undefined
  return {
    ...(quoteMint !== null && { quoteMint }),
    ...(dbcConfig !== null && { dbcConfig: answered(dbcConfig, FIELDS) as AnsweredDbcConfig }),
  }
}
