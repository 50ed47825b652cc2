import { Schema, SchemaGetter } from "effect"
import {
  Decimal,
  DECIMAL_LENGTH_MAX,
  DecimalText,
  LOSSLESS_NUMBER,
  plainDecimal,
  textOrNumber,
} from "../amounts/Decimal.ts"
import { field } from "../http/Field.ts"
import { TradeSide } from "../pools/PoolTrade.ts"
import { Address } from "../solana/Address.ts"
import { label } from "../text/PlainText.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Primary key of a transaction record: a UUID. Generated ones are version 7, so they sort by time. */
export const TransactionId = Schema.String.check(Schema.isGUID({ expected: "a UUID" }), Schema.isMaxLength(36)).pipe(
  Schema.brand("TransactionId"),
)
export type TransactionId = typeof TransactionId.Type

/** Kinds of records. The service itself writes BRIDGE and DEPLOY. */
export const TransactionAction = Schema.Literals(["BUY", "SELL", "BRIDGE", "DEPLOY"]).annotate({
  identifier: "TransactionAction",
  description: "BUY and SELL: a trade. BRIDGE: a cross-chain swap. DEPLOY: the launch of a token",
})
export type TransactionAction = typeof TransactionAction.Type

export const TransactionStatus = Schema.Literals(["pending", "success", "failed"]).annotate({
  identifier: "TransactionStatus",
  description: "pending until the outcome of the transaction is known: success or failed",
})
export type TransactionStatus = typeof TransactionStatus.Type

/** Final statuses of a record. */
export const FinalStatus = Schema.Literals(["success", "failed"]).annotate({
  identifier: "FinalStatus",
  description: "Outcome of the transaction",
})
export type FinalStatus = typeof FinalStatus.Type

/** Name of a chain: letters, digits, `-` and `_`. Case-insensitive; stored in lower case. */
export const Chain = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,32}$/, { expected: "the name of a chain" }),
  Schema.isMaxLength(32),
).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((text: string) => text.toLowerCase()),
    encode: SchemaGetter.transform((text: string) => text),
  }),
)

/**
 * Hash of a transaction on its chain: a base58 signature on Solana, other forms on other chains. Not unique: several
 * wallets can trade in one transaction.
 */
const TransactionHash = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_:.+/=-]{1,128}$/, {
    expected: "a transaction hash (1 to 128 characters, no white space)",
  }),
  Schema.isMaxLength(128),
)

const BPS_EXPECTED = "expected a whole number from 0 to 10000"

/** Basis points, 0 to 10000: a whole number, as a JSON number or a string. */
export const SlippageBps = textOrNumber(BPS_EXPECTED, 5, { type: "integer", minimum: 0, maximum: 10_000 })
  .check(
    Schema.makeFilter(
      (value: string | number) => (/^\d{1,5}$/.test(String(value)) && Number(value) <= 10_000) || BPS_EXPECTED,
    ),
  )
  .pipe(
    Schema.decodeTo(Schema.Number, {
      decode: SchemaGetter.transform((value: string | number) => Number(value)),
      encode: SchemaGetter.transform((value: number) => value as string | number),
    }),
  )

const U64_MAX = 2n ** 64n - 1n

const isU64 = (text: string): boolean => /^\d{1,20}$/.test(text) && BigInt(text) <= U64_MAX

const HEIGHT_EXPECTED = `expected a block height: a whole number from 0 to ${U64_MAX}`

/** A block height: a u64, as a JSON number or a string of digits. Read without loss of precision. */
export const BlockHeight = textOrNumber(HEIGHT_EXPECTED, DECIMAL_LENGTH_MAX, { type: "integer", minimum: 0 })
  .check(Schema.makeFilter((value: string | number) => isU64(plainDecimal(String(value)) ?? "") || HEIGHT_EXPECTED))
  .pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((value: string | number) => plainDecimal(String(value)) ?? "0"),
      encode: SchemaGetter.transform((value: string) => value as string | number),
    }),
    Schema.annotateEncoded({ [LOSSLESS_NUMBER]: true }),
  )

const DECIMALS_EXPECTED = "expected a whole number from 0 to 255"

/** Decimals of an amount: a u8, as in a mint account; a JSON number or a string. */
const Decimals = textOrNumber(DECIMALS_EXPECTED, 3, { type: "integer", minimum: 0, maximum: 255 })
  .check(
    Schema.makeFilter(
      (value: string | number) => (/^\d{1,3}$/.test(String(value)) && Number(value) <= 255) || DECIMALS_EXPECTED,
    ),
  )
  .pipe(
    Schema.decodeTo(Schema.Number, {
      decode: SchemaGetter.transform((value: string | number) => Number(value)),
      encode: SchemaGetter.transform((value: number) => value as string | number),
    }),
  )

const decimalsOf = (amount: string, ofBridge: string) =>
  Schema.Int.annotate({
    description: `${amount} in whole tokens is ${amount} / 10^${amount}Decimals. 0: it already is in whole tokens. A BRIDGE record has its amounts in smallest units and the decimals of ${ofBridge}`,
  })

const sentDecimalsOf = (amount: string) =>
  Schema.optionalKey(
    field(
      Decimals,
      `Decimals of ${amount}, 0 to 255, if it is sent in smallest units; 0, the default, if it is in whole tokens`,
    ),
  )

/**
 * A transaction record in a response: amounts are strings. Addresses and assets of a BRIDGE record are those of other
 * chains.
 */
export const Transaction = Schema.Struct({
  id: field(TransactionId, "Id of the record, a UUID"),
  userAddress: field(
    Schema.String,
    "Wallet of the user: base58, or for a BRIDGE record in the format of its chain (EVM addresses in lower case)",
  ),
  txHash: field(
    Schema.String,
    "Transaction hash on its chain: on Solana the signature, base58. Empty for a BRIDGE record until its deposit is known",
  ),
  action: TransactionAction,
  baseToken: field(Schema.String, "Mint of the base token; for a BRIDGE record the asset that is received"),
  quoteToken: field(Schema.String, "Mint of the quote token; for a BRIDGE record the asset that is sent"),
  amountIn: field(DecimalText, "Amount that the user pays: quote token for a BUY, base token for a SELL"),
  amountInDecimals: decimalsOf("amountIn", "the asset that is sent"),
  amountOut: field(DecimalText, "Amount that the user receives: base token for a BUY, quote token for a SELL"),
  amountOutDecimals: decimalsOf("amountOut", "the asset that is received"),
  pricePerToken: field(
    DecimalText,
    "Price of one whole base token in whole quote tokens, regardless of the decimals of the amounts",
  ),
  slippageBps: field(Schema.String, "Maximum slippage, in basis points; 100 is 1 %"),
  fee: field(DecimalText, "Fee of the trade, in feeToken"),
  feeDecimals: decimalsOf("fee", "the asset that is sent"),
  feeToken: field(Schema.String, "Token that the fee was paid in, as the client sent it"),
  status: TransactionStatus,
  statusReason: Schema.NullOr(Schema.String).annotate({
    description:
      "Why the record failed: `failed on chain: …`, `not executed: …` (its fee payer could not pay), `contradicted by the chain: …` (another trade there), or `expired: …` (it can no longer land). null otherwise, also when a client reported the failure; for a BRIDGE record see GET /api/bridge/status",
  }),
  lastValidBlockHeight: Schema.NullOr(Schema.String).annotate({
    description: "Block height after which the transaction cannot land; null when the client did not send it",
  }),
  chain: field(Schema.String, "Chain of the transaction, in lower case, such as solana"),
  poolAddress: field(Schema.String, "Pool of the trade; for a BRIDGE record the deposit address"),
  createdAt: field(Timestamp, "When the transaction was recorded"),
  updatedAt: field(Timestamp, "When the record last changed"),
}).annotate({ identifier: "Transaction", description: "A recorded transaction; amounts are decimal strings" })
export type Transaction = typeof Transaction.Type

/** Body of `POST /api/transactions`. */
export const TransactionDraft = Schema.Struct({
  userAddress: field(Address, "Wallet of the user"),
  txHash: field(TransactionHash, "Transaction hash on its chain: on Solana the signature, base58"),
  action: TradeSide,
  baseToken: field(Address, "Mint of the base token"),
  quoteToken: field(Address, "Mint of the quote token"),
  amountIn: field(
    Decimal,
    "Amount that the user pays (quote token for a BUY, base token for a SELL), in whole tokens or with amountInDecimals",
  ),
  amountInDecimals: sentDecimalsOf("amountIn"),
  amountOut: field(
    Decimal,
    "Amount that the user receives (base token for a BUY, quote token for a SELL), in whole tokens or with amountOutDecimals",
  ),
  amountOutDecimals: sentDecimalsOf("amountOut"),
  pricePerToken: field(Decimal, "Price of one whole base token in whole quote tokens"),
  slippageBps: field(SlippageBps, "Maximum slippage, in basis points, 0 to 10000; 100 is 1 %"),
  fee: field(Decimal, "Fee of the trade in feeToken, in whole tokens or with feeDecimals"),
  feeDecimals: sentDecimalsOf("fee"),
  feeToken: field(label({ maxLength: 64 }), "Token that the fee is paid in: its mint or symbol"),
  status: Schema.optionalKey(field(Schema.Literal("pending"), "Every record starts as pending")),
  chain: field(Chain, "Chain of the transaction, such as solana; stored in lower case"),
  poolAddress: field(Address, "Pool of the trade"),
  lastValidBlockHeight: Schema.optionalKey(
    field(
      BlockHeight,
      "On Solana, the lastValidBlockHeight that came with the transaction. Past it, the record fails if the transaction is not found on chain. Without it, the record fails if the transaction is not found on chain within an hour",
    ),
  ),
}).annotate({ identifier: "TransactionDraft", description: "A transaction to record" })
export type TransactionDraft = typeof TransactionDraft.Type

/** Body of `PATCH /api/transactions/:id/status`. */
export const StatusChange = Schema.Struct({
  status: FinalStatus,
  txHash: Schema.optionalKey(field(TransactionHash, "Transaction hash, when it differs from the recorded one")),
}).annotate({ identifier: "StatusChange", description: "Outcome of the transaction of a record" })
export type StatusChange = typeof StatusChange.Type
