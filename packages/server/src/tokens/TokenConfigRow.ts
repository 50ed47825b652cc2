import type { TokenConfig, TokenDetails } from "@launch-registry/domain/tokens/Token"

/** Columns of `token_dbc_configs` that hold one value of the configuration each, by the field they hold. */
const SCALARS = [
  "buildCurveMode",
  "migrationOption",
  "tokenBaseDecimal",
  "tokenQuoteDecimal",
  "dynamicFeeEnabled",
  "activationType",
  "collectFeeMode",
  "migrationFeeOption",
  "tokenType",
  "partnerLpPercentage",
  "creatorLpPercentage",
  "partnerLockedLpPercentage",
  "creatorLockedLpPercentage",
  "creatorTradingFeePercentage",
  "tokenUpdateAuthority",
  "leftoverReceiver",
  "feeClaimer",
  "enableFirstSwapWithMinFee",
] as const

/** Those among them that are exact decimals: text in code, numbers in the answer. */
const AMOUNTS = ["totalTokenSupply", "leftover", "poolCreationFee"] as const

/** Groups kept as documents; the amounts in them are decimal strings. */
const GROUPS = ["buildCurveParam", "lockedVestingParam", "migrationFee", "migratedPoolFee"] as const

type DbcConfig = NonNullable<TokenConfig["dbcConfig"]>
type Group = Readonly<Record<string, unknown>>

/** Columns of `token_dbc_configs`, null where the configuration (or the whole row) is silent. */
export type TokenConfigRow = {
  readonly tokenId: string | null
  readonly quoteMint: string | null
  readonly hasDbcConfig: boolean | null
  readonly baseFeeMode: number | null
  readonly feeSchedulerParam: Group | null
  readonly rateLimiterParam: Group | null
} & { readonly [Field in (typeof SCALARS)[number]]: DbcConfig[Field] | null } & {
  readonly [Field in (typeof AMOUNTS)[number]]: string | null
} & { readonly [Field in (typeof GROUPS)[number]]: Group | null }

/** The row that keeps `config` beside its token; `json` marks a document for the driver. */
export const fromTokenConfig = (
  tokenId: string,
  { dbcConfig, quoteMint }: TokenConfig,
  json: (group: unknown) => unknown,
) => {
  const fields: Record<string, unknown> = dbcConfig ?? {}
  const group = (value: unknown) => (value === undefined ? null : json(value))
  const base = dbcConfig?.baseFeeParams
  return {
    tokenId,
    quoteMint: quoteMint ?? null,
    hasDbcConfig: dbcConfig !== undefined,
    ...Object.fromEntries([...SCALARS, ...AMOUNTS].map((field) => [field, fields[field] ?? null])),
    ...Object.fromEntries(GROUPS.map((field) => [field, group(fields[field])])),
    baseFeeMode: base?.baseFeeMode ?? null,
    feeSchedulerParam: group(base?.feeSchedulerParam),
    rateLimiterParam: group(base?.rateLimiterParam),
  }
}

/** Writes a number into JSON with exactly these digits (ECMAScript 2026, JSON.parse source text access). */
const exactNumber = (JSON as unknown as { readonly rawJSON: (text: string) => number }).rawJSON

/** Fields inside groups that are amounts. */
const GROUP_AMOUNTS = new Set([
  "migrationQuoteThreshold",
  "initialMarketCap",
  "migrationMarketCap",
  "referenceAmount",
  "totalLockedVestingAmount",
  "cliffUnlockAmount",
])

const toGroup = (group: Group): Group =>
  Object.fromEntries(
    Object.entries(group).map(([field, value]) => [
      field,
      GROUP_AMOUNTS.has(field) ? exactNumber(String(value)) : value,
    ]),
  )

/** The configuration as it was registered, its amounts as numbers with all their digits. */
export const toTokenConfig = (row: TokenConfigRow): TokenDetails["tokenConfig"] => {
  if (row.tokenId === null) return undefined
  const baseFeeParams = withoutNulls({
    baseFeeMode: row.baseFeeMode,
    feeSchedulerParam: row.feeSchedulerParam,
    rateLimiterParam: row.rateLimiterParam === null ? null : toGroup(row.rateLimiterParam),
  })
  const dbcConfig = withoutNulls({
    ...Object.fromEntries(SCALARS.map((field) => [field, row[field]])),
    ...Object.fromEntries(AMOUNTS.map((field) => [field, row[field] === null ? null : exactNumber(row[field])])),
    ...Object.fromEntries(GROUPS.map((field) => [field, row[field] === null ? null : toGroup(row[field])])),
    baseFeeParams: Object.keys(baseFeeParams).length === 0 ? null : baseFeeParams,
  })
  return withoutNulls({ quoteMint: row.quoteMint, dbcConfig: row.hasDbcConfig === true ? dbcConfig : null })
}

const withoutNulls = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
