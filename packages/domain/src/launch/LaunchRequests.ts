import { Schema, SchemaGetter } from "effect"
import { DECIMAL_LENGTH_MAX, LOSSLESS_NUMBER, textOrNumber } from "../amounts/Decimal.ts"
import { Address, ADDRESS_LENGTH_MAX } from "../solana/Address.ts"
import { label } from "../text/PlainText.ts"
import { OptionalWebUri } from "../text/WebUri.ts"
import { Launchpad } from "../tokens/Token.ts"
import { SlippageBps } from "../transactions/Transaction.ts"
import { DbcConfig } from "./DbcConfig.ts"
import { ConfigKeypair } from "./KeypairBytes.ts"

const U64_MAX = 2n ** 64n - 1n

const optional = Schema.optionalKey

const inBytes = (maximum: number) =>
  Schema.makeFilter(
    (text: string) => new TextEncoder().encode(text).length <= maximum || `expected at most ${maximum} bytes in UTF-8`,
  )

/** A u64 in smallest units, written as a JSON number or a string of digits; read losslessly. */
const units = (minimum: bigint, what: string) => {
  const message = `expected ${what}: a whole number from ${minimum} to ${U64_MAX}`
  return textOrNumber(message, DECIMAL_LENGTH_MAX, { type: "integer", minimum: Number(minimum) })
    .check(
      Schema.makeFilter((value: string | number) => {
        const text = String(value)
        if (/^-?\d+\.\d+$/.test(text))
          return `expected ${what} in the smallest unit of the token: a whole number, no fraction`
        const isWhole = /^\d{1,20}$/.test(text)
        return (isWhole && BigInt(text) >= minimum && BigInt(text) <= U64_MAX) || message
      }),
    )
    .pipe(
      Schema.decodeTo(Schema.BigInt, {
        decode: SchemaGetter.transform((value: string | number) => BigInt(value)),
        encode: SchemaGetter.transform((value: bigint): string | number => value.toString()),
      }),
      Schema.annotateEncoded({ [LOSSLESS_NUMBER]: true }),
    )
}

/** What a token is shown as. Name and symbol within the limits of the Token Metadata program. */
export const LaunchMetadata = Schema.Struct({
  name: label({ maxLength: 32 }).check(inBytes(32)),
  symbol: label({ maxLength: 10 }).check(inBytes(10)),
  description: optional(Schema.String.check(Schema.isMaxLength(5000))),
  imageUri: optional(OptionalWebUri),
  bannerUri: optional(OptionalWebUri),
  website: optional(OptionalWebUri),
  twitter: optional(OptionalWebUri),
  telegram: optional(OptionalWebUri),
  uri: optional(OptionalWebUri.check(inBytes(200))).annotateKey({
    description: "Address of a metadata document that exists already; without it one is uploaded",
  }),
}).annotate({ identifier: "LaunchMetadata" })
export type LaunchMetadata = typeof LaunchMetadata.Type

/** Body of `POST /api/launch/dbc-config`. */
export const ConfigRequest = Schema.Struct({
  metadata: LaunchMetadata,
  signer: Address,
  launchpad: optional(Launchpad),
  quoteMint: optional(Address),
  dbcConfig: optional(DbcConfig).annotateKey({ description: "Fields to lay over the launchpad's preset" }),
}).annotate({ identifier: "ConfigRequest" })

/** Body of `POST /api/launch/deploy-token`. */
export const DeployRequest = Schema.Struct({
  metadata: LaunchMetadata,
  signer: Address,
  dbcConfigKeypair: ConfigKeypair,
  poolMetadata: optional(Schema.Boolean).annotateKey({
    description: "Publish name, website and image of the pool on chain as well, where the transaction has room for it",
  }),
  baseMint: optional(Address).annotateKey({ description: "A mint key of the caller's own, which then signs as well" }),
}).annotate({ identifier: "DeployRequest" })

const swapFields = {
  baseMint: Address,
  amount: units(1n, "an amount"),
  slippageBps: optional(SlippageBps),
  swapBaseForQuote: Schema.Boolean,
}

/** Body of `POST /api/launch/quote`. `amount` in the smallest unit of the token that is sent. */
export const QuoteRequest = Schema.Struct(swapFields).annotate({ identifier: "QuoteRequest" })

/** Body of `POST /api/launch/swap`. `amount` in the smallest unit of the token that is sent. */
export const SwapRequest = Schema.Struct({
  ...swapFields,
  signer: Address,
  computeUnitPriceMicroLamports: optional(units(0n, "a price")),
  simulate: optional(Schema.Boolean).annotateKey({
    description: "Have an RPC node run the transaction: one request more, and a compute unit limit of what it used",
  }),
  referralTokenAccount: optional(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) => text === "" || Schema.is(Address)(text) || "expected a Solana address (base58 of 32 bytes)",
      ),
      Schema.isMaxLength(ADDRESS_LENGTH_MAX),
    ),
  ),
}).annotate({ identifier: "SwapRequest" })

/** Body of `POST /api/launch/whitelist` and `unwhitelist`. */
export const WhitelistRequest = Schema.Struct({ tokenAddress: Address }).annotate({ identifier: "WhitelistRequest" })
