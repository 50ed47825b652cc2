import { Schema, SchemaGetter } from "effect"
import { DECIMAL_LENGTH_MAX, LOSSLESS_NUMBER, textOrNumber } from "../amounts/Decimal.ts"
import { field } from "../http/Field.ts"
import { ADDRESS_LENGTH_MAX } from "@launch-registry/solana/AddressText"
import { Address } from "../solana/Address.ts"
import { label } from "../text/PlainText.ts"
import { OptionalWebUri } from "../text/WebUri.ts"
import { Launchpad } from "../tokens/Token.ts"
import { SlippageBps } from "../transactions/Transaction.ts"
import { DbcConfig } from "./DbcConfig.ts"
import { ConfigKeypair } from "./ConfigKeypair.ts"

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
  name: field(label({ maxLength: 32 }).check(inBytes(32)), "Name of the token, at most 32 bytes in UTF-8"),
  symbol: field(label({ maxLength: 10 }).check(inBytes(10)), "Ticker symbol, at most 10 bytes in UTF-8"),
  description: optional(field(Schema.String.check(Schema.isMaxLength(5000)), "Text about the token")),
  imageUri: optional(field(OptionalWebUri, "Image of the token: an https or ipfs URI, or empty")),
  bannerUri: optional(field(OptionalWebUri, "Banner image: an https or ipfs URI, or empty")),
  website: optional(field(OptionalWebUri, "Website: an https or ipfs URI, or empty")),
  twitter: optional(field(OptionalWebUri, "Page at X (Twitter): an https URI, or empty")),
  telegram: optional(field(OptionalWebUri, "Telegram channel or group: an https URI, or empty")),
  uri: optional(
    field(
      OptionalWebUri.check(inBytes(200)),
      "URI of a metadata document that exists, at most 200 bytes; without it a document of these fields is uploaded",
    ),
  ),
}).annotate({ identifier: "LaunchMetadata", description: "Name, symbol, text and links of the token" })
export type LaunchMetadata = typeof LaunchMetadata.Type

/** Body of `POST /api/launch/dbc-config`. */
export const ConfigRequest = Schema.Struct({
  metadata: LaunchMetadata,
  signer: field(Address, "Wallet that signs and pays for the transaction"),
  launchpad: optional(field(Launchpad, "Launchpad whose preset is used; launchpad_a when left out")),
  quoteMint: optional(field(Address, "Mint of the quote token; that of the preset (SOL) when left out")),
  dbcConfig: optional(field(DbcConfig, "Fields that replace those of the launchpad's preset")),
}).annotate({ identifier: "ConfigRequest", description: "A DBC configuration to build" })

/** Body of `POST /api/launch/deploy-token`. */
export const DeployRequest = Schema.Struct({
  metadata: LaunchMetadata,
  signer: field(Address, "Wallet that signs and pays for the transaction; it becomes the creator of the pool"),
  dbcConfigKeypair: ConfigKeypair,
  poolMetadata: optional(
    field(
      Schema.Boolean,
      "true: publish name, website and image of the pool on chain as well, when they fit into the transaction",
    ),
  ),
  baseMint: optional(
    field(
      Address,
      "Mint of the caller's own, whose key then has to sign too; without it the service makes and signs with one",
    ),
  ),
}).annotate({ identifier: "DeployRequest", description: "A token and its pool to create" })

const swapFields = {
  baseMint: field(Address, "Mint of the token that is traded, the base token"),
  amount: field(
    units(1n, "an amount"),
    "Amount to send, in smallest units: of the quote token for a buy (lamports when it is SOL), of the base token for a sale. A whole number, as a JSON number or a string of digits",
  ),
  slippageBps: optional(field(SlippageBps, "Slippage to allow, in basis points, 0 to 10000; 100 (1 %) when left out")),
  swapBaseForQuote: field(Schema.Boolean, "false: buy the base token with the quote token. true: sell it"),
}

/** Body of `POST /api/launch/quote`. `amount` in the smallest unit of the token that is sent. */
export const QuoteRequest = Schema.Struct(swapFields).annotate({
  identifier: "QuoteRequest",
  description: "A swap to quote",
})

/** Body of `POST /api/launch/swap`. `amount` in the smallest unit of the token that is sent. */
export const SwapRequest = Schema.Struct({
  ...swapFields,
  signer: field(Address, "Wallet that signs, pays and trades"),
  computeUnitPriceMicroLamports: optional(
    field(units(0n, "a price"), "Priority fee, in millionths of a lamport for each compute unit; 10000 when left out"),
  ),
  simulate: optional(
    field(
      Schema.Boolean,
      "true: an RPC node runs the transaction first, and the compute unit limit is set from what it used. One request more",
    ),
  ),
  referralTokenAccount: optional(
    field(
      Schema.String.check(
        Schema.makeFilter(
          (text: string) => text === "" || Schema.is(Address)(text) || "expected a Solana address (base58 of 32 bytes)",
        ),
        Schema.isMaxLength(ADDRESS_LENGTH_MAX),
      ),
      "Token account that gets the referral's part of the fee, base58; it has to hold the token that the fee is taken in. Empty: none",
    ),
  ),
}).annotate({ identifier: "SwapRequest", description: "A swap to build" })

/** Body of `POST /api/launch/whitelist` and `unwhitelist`. */
export const WhitelistRequest = Schema.Struct({
  tokenAddress: field(Address, "Mint of a registered token"),
}).annotate({ identifier: "WhitelistRequest", description: "A token to put on the whitelist, or to take off it" })
