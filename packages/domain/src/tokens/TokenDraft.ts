import { Schema, SchemaGetter } from "effect"
import { Decimal, textOrNumber } from "../amounts/Decimal.ts"
import { field } from "../http/Field.ts"
import { FIXED_FIELDS } from "../http/FixedFields.ts"
import { Address } from "../solana/Address.ts"
import { label, paragraphs } from "../text/PlainText.ts"
import { OptionalWebUri } from "../text/WebUri.ts"
import { Launchpad, TAG_LENGTH_MAX, TokenConfig, TokenDetails } from "./Token.ts"

const DESCRIPTION_LENGTH_MAX = 5000
const TAGS_MAX = 20

const name = field(label({ maxLength: 128 }), "Name of the token")
const symbol = field(label({ maxLength: 32 }), "Ticker symbol, such as SMPL")
const description = field(
  paragraphs({ maxLength: DESCRIPTION_LENGTH_MAX }),
  "Description of the token; empty by default",
)
const tags = field(
  Schema.Array(label({ maxLength: TAG_LENGTH_MAX })).check(Schema.isMaxLength(TAGS_MAX)),
  "Tags to filter lists by",
)

const DECIMALS_EXPECTED = "expected a whole number from 0 to 18"

/** Decimals of a mint, 0 to 18, as a string or a JSON number. */
const Decimals = textOrNumber(DECIMALS_EXPECTED, 2, { type: "integer", minimum: 0, maximum: 18 })
  .check(Schema.makeFilter((value: string | number) => /^(0|[1-9]|1[0-8])$/.test(String(value)) || DECIMALS_EXPECTED))
  .pipe(
    Schema.decodeTo(Schema.Number, {
      decode: SchemaGetter.transform((value: string | number) => Number(value)),
      encode: SchemaGetter.transform((value: number) => value as string | number),
    }),
  )

const links = {
  tokenUri: Schema.optionalKey(field(OptionalWebUri, "Metadata document of the token: an https or ipfs URI, or empty")),
  bannerUri: Schema.optionalKey(field(OptionalWebUri, "Banner image: an https or ipfs URI, or empty")),
  website: Schema.optionalKey(field(OptionalWebUri, "Website: an https or ipfs URI, or empty")),
  twitter: Schema.optionalKey(field(OptionalWebUri, "Page at X (Twitter): an https URI, or empty")),
  telegram: Schema.optionalKey(field(OptionalWebUri, "Telegram channel or group: an https URI, or empty")),
}

/** Body of `POST /api/tokens`. */
export const TokenDraft = Schema.Struct({
  name,
  symbol,
  description: Schema.optionalKey(description),
  totalSupply: field(Decimal, "Total supply in whole tokens, as a decimal string or a number"),
  decimals: field(Decimals, "Decimals of the mint, 0 to 18, as a string or a number"),
  mintAddress: field(Address, "Mint of the token; each mint can be registered once"),
  owner: field(Address, "Wallet that owns the token: the creator of its pool once it is launched"),
  launchpad: Launchpad,
  tags: Schema.optionalKey(tags),
  ...links,
  tokenConfig: Schema.optionalKey(TokenConfig),
}).annotate({ identifier: "TokenDraft", description: "A token to register" })
export type TokenDraft = typeof TokenDraft.Type

/** Body of `PUT /api/tokens/:id/verified`. */
export const TokenVerification = Schema.Struct({
  verified: field(Schema.Boolean, "Whether the token is verified from now on"),
  name: Schema.optionalKey(
    field(Schema.String.check(Schema.isMaxLength(128)), "Name that was verified; another one is a 409 `token_renamed`"),
  ),
  symbol: Schema.optionalKey(
    field(
      Schema.String.check(Schema.isMaxLength(32)),
      "Symbol that was verified; another one is a 409 `token_renamed`",
    ),
  ),
  reason: Schema.optionalKey(
    field(label({ maxLength: 200 }), "Why, in one line, for the audit log; shown nowhere else"),
  ),
}).annotate({
  identifier: "TokenVerification",
  description: "Whether operators of this registry have verified a token",
})
export type TokenVerification = typeof TokenVerification.Type

const changeable = {
  name: Schema.optionalKey(name),
  symbol: Schema.optionalKey(symbol),
  description: Schema.optionalKey(description),
  tags: Schema.optionalKey(tags),
  active: Schema.optionalKey(
    field(
      Schema.Boolean,
      "Whether lists show the token as in presale or trading; swaps do not depend on it. true is rejected for a token that has migrated (409 `contradicts_chain`)",
    ),
  ),
  ...links,
}

/** Fields of a token that cannot be changed. */
const fixed = Object.keys({ ...TokenDetails.fields, ...TokenDraft.fields }).filter((field) => !(field in changeable))

/** Body of `PATCH /api/tokens/:id`: at least one of these fields. */
export const TokenChange = Schema.Struct(changeable)
  .check(
    Schema.makeFilter((change: object) => Object.keys(change).length > 0 || "expected at least one field to change"),
  )
  .annotate({
    identifier: "TokenChange",
    description: "Fields of a token to change, at least one",
    [FIXED_FIELDS]: fixed,
  })
export type TokenChange = typeof TokenChange.Type
