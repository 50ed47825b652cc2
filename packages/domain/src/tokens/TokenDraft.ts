import { Schema, SchemaGetter } from "effect"
import { Decimal, textOrNumber } from "../amounts/Decimal.ts"
import { FIXED_FIELDS } from "../http/FixedFields.ts"
import { Address } from "../solana/Address.ts"
import { label } from "../text/PlainText.ts"
import { OptionalWebUri } from "../text/WebUri.ts"
import { Launchpad, TAG_LENGTH_MAX, TokenConfig, TokenDetails } from "./Token.ts"

const DESCRIPTION_LENGTH_MAX = 5000
const TAGS_MAX = 20

const name = label({ maxLength: 128 })
const symbol = label({ maxLength: 32 })
const description = Schema.String.check(Schema.isMaxLength(DESCRIPTION_LENGTH_MAX))
const tags = Schema.Array(label({ maxLength: TAG_LENGTH_MAX })).check(Schema.isMaxLength(TAGS_MAX))

const DECIMALS_EXPECTED = "expected a whole number from 0 to 18"

/** Number of decimals of a mint, 0 to 18; sent as a string or as a number. */
const Decimals = textOrNumber(DECIMALS_EXPECTED, 2, { type: "integer", minimum: 0, maximum: 18 })
  .check(Schema.makeFilter((value: string | number) => /^(0|[1-9]|1[0-8])$/.test(String(value)) || DECIMALS_EXPECTED))
  .pipe(
    Schema.decodeTo(Schema.Number, {
      decode: SchemaGetter.transform((value: string | number) => Number(value)),
      encode: SchemaGetter.transform((value: number) => value as string | number),
    }),
  )

const links = {
  tokenUri: Schema.optionalKey(OptionalWebUri),
  bannerUri: Schema.optionalKey(OptionalWebUri),
  website: Schema.optionalKey(OptionalWebUri),
  twitter: Schema.optionalKey(OptionalWebUri),
  telegram: Schema.optionalKey(OptionalWebUri),
}

/** Body of `POST /api/tokens`. */
export const TokenDraft = Schema.Struct({
  name,
  symbol,
  description: Schema.optionalKey(description),
  totalSupply: Decimal,
  decimals: Decimals,
  mintAddress: Address,
  owner: Address,
  launchpad: Launchpad,
  tags: Schema.optionalKey(tags),
  ...links,
  tokenConfig: Schema.optionalKey(TokenConfig),
}).annotate({ identifier: "TokenDraft" })
export type TokenDraft = typeof TokenDraft.Type

const changeable = {
  name: Schema.optionalKey(name),
  symbol: Schema.optionalKey(symbol),
  description: Schema.optionalKey(description),
  tags: Schema.optionalKey(tags),
  active: Schema.optionalKey(Schema.Boolean),
  ...links,
}

/** Fields of a token that stay as they were registered. */
const fixed = Object.keys({ ...TokenDetails.fields, ...TokenDraft.fields }).filter((field) => !(field in changeable))

/** Body of `PATCH /api/tokens/:id`: at least one field, and none but these. */
export const TokenChange = Schema.Struct(changeable)
  .check(
    Schema.makeFilter((change: object) => Object.keys(change).length > 0 || "expected at least one field to change"),
  )
  .annotate({ identifier: "TokenChange", [FIXED_FIELDS]: fixed })
export type TokenChange = typeof TokenChange.Type
