import { Schema } from "effect"
import { DecimalText } from "../amounts/Decimal.ts"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { AnsweredDbcConfig } from "../pools/AnsweredDbcConfig.ts"
import { DbcConfig } from "../pools/DbcConfig.ts"
import { FetchedDocument } from "../pools/FetchedDocument.ts"
import { Market } from "../pools/Market.ts"
import { Address } from "../solana/Address.ts"
import { TokenTrust } from "../trust/TokenTrust.ts"

/** Primary key of a token: a UUID. Generated ones are version 7, so they sort by time. */
export const TokenId = Schema.String.check(
  Schema.isGUID({ expected: "a UUID; GET /api/tokens/mint/{address} finds a token by its mint" }),
  Schema.isMaxLength(36),
).pipe(Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type

export const TAG_LENGTH_MAX = 64

/** Launchpad of a token. */
export const Launchpad = Schema.Literals(["launchpad_a", "launchpad_b"]).annotate({
  identifier: "Launchpad",
  description: "Launchpad of the token; each has a preset of the DBC configuration",
})
export type Launchpad = typeof Launchpad.Type

const fields = {
  id: field(TokenId, "Id of the token in this registry, a UUID"),
  mintAddress: field(Address, "Mint of the token"),
  name: field(Schema.String, "Name of the token"),
  symbol: field(Schema.String, "Ticker symbol, such as SMPL"),
  description: field(Schema.String, "Description of the token; may be empty"),
  totalSupply: field(DecimalText, "Total supply in whole tokens"),
  decimals: field(Schema.Int, "Decimals of the mint: a whole token has 10^decimals smallest units"),
  owner: field(Address, "Wallet that owns the token: the creator of its pool once it is launched"),
  launchpad: Launchpad,
  tags: field(Schema.Array(Schema.String), "Tags to filter lists by"),
  active: field(Schema.Boolean, "true in presale and while trading on the curve; false afterwards"),
  createdAt: field(Timestamp, "When the token was registered"),
  updatedAt: field(Timestamp, "When a field of the token last changed"),
  verified: field(Schema.Boolean, "Whether an operator of this registry has verified the token"),
}

/** What is stored of a token in a list. */
export const TokenFields = Schema.Struct(fields)
export type TokenFields = typeof TokenFields.Type

const onRequest = {
  market: Schema.optionalKey(
    Schema.NullOr(Market).annotate({
      description: "Figures of its market: only with `include=market`; null while no pool of it is indexed",
    }),
  ),
  trust: Schema.optionalKey(TokenTrust),
}

/** Links of a token; an absent one is the empty string. */
export const TokenLinks = Schema.Struct({
  tokenUri: field(Schema.String, "Metadata document of the token; may be empty"),
  bannerUri: field(Schema.String, "Banner image; may be empty"),
  website: field(Schema.String, "Website; may be empty"),
  twitter: field(Schema.String, "Page at X (Twitter); may be empty"),
  telegram: field(Schema.String, "Telegram channel or group; may be empty"),
}).annotate({ identifier: "TokenLinks", description: "Links of a token, each an https or ipfs URI" })
export type TokenLinks = typeof TokenLinks.Type

/** A token in a list. */
export const Token = Schema.Struct({ ...fields, metadata: TokenLinks, ...onRequest }).annotate({
  identifier: "Token",
  description: "A registered token with its links",
})
export type Token = typeof Token.Type

/** The quote token and the bonding curve configuration a token was launched with. */
export const TokenConfig = Schema.Struct({
  quoteMint: Schema.optionalKey(field(Address, "Mint of the quote token, which buys the base token")),
  dbcConfig: Schema.optionalKey(DbcConfig),
}).annotate({
  identifier: "TokenConfigDraft",
  description: "Quote token and Dynamic Bonding Curve configuration that the token was launched with",
})
export type TokenConfig = typeof TokenConfig.Type

/** A {@link TokenConfig} in a response. */
const AnsweredTokenConfig = Schema.Struct({
  ...TokenConfig.fields,
  dbcConfig: Schema.optionalKey(AnsweredDbcConfig),
}).annotate({
  identifier: "TokenConfig",
  description: "Quote token and Dynamic Bonding Curve configuration that the token was launched with",
})

/** A single token, with its links and its configuration if it was registered with one. */
export const TokenDetails = Schema.Struct({
  ...fields,
  metadata: TokenLinks,
  document: Schema.optionalKey(FetchedDocument),
  pool: Schema.NullOr(Address).annotate({
    description: "DBC pool of the token; null while none is indexed",
  }),
  config: Schema.NullOr(Address).annotate({
    description: "DBC configuration account of that pool; null while none is indexed",
  }),
  tokenConfig: Schema.optionalKey(AnsweredTokenConfig),
  ...onRequest,
}).annotate({ identifier: "TokenDetails", description: "A registered token with its links and configuration" })
export type TokenDetails = typeof TokenDetails.Type
