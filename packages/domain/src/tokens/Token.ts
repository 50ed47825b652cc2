import { Schema } from "effect"
import { DecimalText } from "../amounts/Decimal.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { AnsweredDbcConfig } from "../launch/AnsweredDbcConfig.ts"
import { DbcConfig } from "../launch/DbcConfig.ts"
import { Address } from "../solana/Address.ts"

/** Primary key of a token: a UUID (version 7 when made here, so that ids sort by time). */
export const TokenId = Schema.String.check(Schema.isGUID({ expected: "a UUID" }), Schema.isMaxLength(36)).pipe(
  Schema.brand("TokenId"),
)
export type TokenId = typeof TokenId.Type

export const TAG_LENGTH_MAX = 64

/** Where a token was launched. */
export const Launchpad = Schema.Literals(["launchpad_a", "launchpad_b"]).annotate({ identifier: "Launchpad" })
export type Launchpad = typeof Launchpad.Type

const fields = {
  id: TokenId,
  mintAddress: Address,
  name: Schema.String,
  symbol: Schema.String,
  description: Schema.String,
  totalSupply: DecimalText,
  decimals: Schema.Int,
  owner: Address,
  launchpad: Launchpad,
  tags: Schema.Array(Schema.String),
  active: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

/** A token as lists answer it (specification, section 2). */
export const Token = Schema.Struct(fields).annotate({ identifier: "Token" })
export type Token = typeof Token.Type

/** The links of a token; an absent one is the empty string. */
export const TokenLinks = Schema.Struct({
  tokenUri: Schema.String,
  bannerUri: Schema.String,
  website: Schema.String,
  twitter: Schema.String,
  telegram: Schema.String,
}).annotate({ identifier: "TokenLinks" })
export type TokenLinks = typeof TokenLinks.Type

/** The quote token and the bonding curve configuration a token was launched with. */
export const TokenConfig = Schema.Struct({
  quoteMint: Schema.optionalKey(Address),
  dbcConfig: Schema.optionalKey(DbcConfig),
}).annotate({ identifier: "TokenConfigDraft" })
export type TokenConfig = typeof TokenConfig.Type

/** A {@link TokenConfig} as it is answered. */
const AnsweredTokenConfig = Schema.Struct({
  ...TokenConfig.fields,
  dbcConfig: Schema.optionalKey(AnsweredDbcConfig),
}).annotate({ identifier: "TokenConfig" })

/** A token with its links and, when it was registered with one, its configuration: what reading a single token answers. */
export const TokenDetails = Schema.Struct({
  ...fields,
  metadata: TokenLinks,
  pool: Schema.NullOr(Address).annotate({
    description: "DBC pool it was launched with; null while the chain is not known to have one",
  }),
  config: Schema.NullOr(Address).annotate({ description: "DBC configuration account of that pool" }),
  tokenConfig: Schema.optionalKey(AnsweredTokenConfig),
}).annotate({ identifier: "TokenDetails" })
export type TokenDetails = typeof TokenDetails.Type
