import { Schema, SchemaGetter } from "effect"
import {
  Decimal,
  DECIMAL_LENGTH_MAX,
  DecimalText,
  LOSSLESS_NUMBER,
  plainDecimal,
  textOrNumber,
} from "../amounts/Decimal.ts"
import { TradeSide } from "../launch/PoolTrade.ts"
import { Address } from "../solana/Address.ts"
import { label } from "../text/PlainText.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Primary key of a transaction record: a UUID (version 7 when made here, so that ids sort by time). */
export const TransactionId = Schema.String.check(Schema.isGUID({ expected: "a UUID" }), Schema.isMaxLength(36)).pipe(
  Schema.brand("TransactionId"),
)
export type TransactionId = typeof TransactionId.Type

/** What a record can be: BRIDGE and DEPLOY are written by the service itself. */
export const TransactionAction = Schema.Literals(["BUY", "SELL", "BRIDGE", "DEPLOY"]).annotate({
  identifier: "TransactionAction",
})
export type TransactionAction = typeof TransactionAction.Type

export const TransactionStatus = Schema.Literals(["pending", "success", "failed"]).annotate({
  identifier: "TransactionStatus",
})
export type TransactionStatus = typeof TransactionStatus.Type

/** The statuses a record ends in. */
export const FinalStatus = Schema.Literals(["success", "failed"]).annotate({ identifier: "FinalStatus" })
export type FinalStatus = typeof FinalStatus.Type

/** Name of a chain: letters, digits, `-` and `_`; case does not matter on input, lower case is kept. */
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
 * Hash of a transaction on its chain: a base58 signature on Solana, other forms on the chains that a bridge reaches.
 * One transaction can hold several trades, so it is no key.
 */
const TransactionHash = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_:.+/=-]{1,128}$/, {
    expected: "a transaction hash (1 to 128 characters, no white space)",
  }),
  Schema.isMaxLength(128),
)

const BPS_EXPECTED = "expected a whole number from 0 to 10000"

/** Basis points, 0 to 10000; a whole number, also as a string. */
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

/** A block height: a u64, as a JSON number or a string of digits; read losslessly. */
const BlockHeight = textOrNumber(HEIGHT_EXPECTED, DECIMAL_LENGTH_MAX, { type: "integer", minimum: 0 })
  .check(Schema.makeFilter((value: string | number) => isU64(plainDecimal(String(value)) ?? "") || HEIGHT_EXPECTED))
  .pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((value: string | number) => plainDecimal(String(value)) ?? "0"),
      encode: SchemaGetter.transform((value: string) => value as string | number),
    }),
    Schema.annotateEncoded({ [LOSSLESS_NUMBER]: true }),
  )

const DECIMALS_EXPECTED = "expected a whole number from 0 to 255"

/** How many decimals an amount was sent with: a u8, as mints have it; also as a string. */
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
    description: `${amount} in whole tokens is ${amount} / 10^this. 0 where ${amount} is in whole tokens already; of a BRIDGE record, whose amounts are in smallest units, the decimals of ${ofBridge}`,
  })

const sentDecimalsOf = (amount: string) =>
  Schema.optionalKey(Decimals).annotateKey({
    description: `Decimals of ${amount} when it is sent in smallest units; 0, which is the default, when it is in whole tokens`,
  })

/**
 * A transaction record as it is answered (specification, section 2): amounts are strings. Addresses and assets of a
 * BRIDGE record are those of other chains.
 */
export const Transaction = Schema.Struct({
  id: TransactionId,
  userAddress: Schema.String,
  txHash: Schema.String.annotate({ description: "Empty on a BRIDGE record until a deposit is known" }),
  action: TransactionAction,
  baseToken: Schema.String.annotate({ description: "Of a BRIDGE record the asset that is received" }),
  quoteToken: Schema.String.annotate({ description: "Of a BRIDGE record the asset that is sent" }),
  amountIn: DecimalText,
  amountInDecimals: decimalsOf("amountIn", "the asset that is sent"),
  amountOut: DecimalText,
  amountOutDecimals: decimalsOf("amountOut", "the asset that is received"),
  pricePerToken: DecimalText.annotateKey({
    description: "For one whole base token, in whole quote tokens, whatever the decimals of the amounts",
  }),
  slippageBps: Schema.String,
  fee: DecimalText,
  feeDecimals: decimalsOf("fee", "the asset that is sent"),
  feeToken: Schema.String,
  status: TransactionStatus,
  statusReason: Schema.NullOr(Schema.String).annotate({
    description:
      "Why the service itself made the record failed: what the chain says (`failed on chain: …`), or that the transaction can no longer land (`expired: …`). null on every other record, also where a client said that it failed; of a BRIDGE record see GET /api/bridge/status",
  }),
  lastValidBlockHeight: Schema.NullOr(Schema.String).annotate({
    description: "The transaction cannot land after this block height; null when it was not sent",
  }),
  chain: Schema.String,
  poolAddress: Schema.String.annotate({ description: "Of a BRIDGE record the deposit address" }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "Transaction" })
export type Transaction = typeof Transaction.Type

/** Body of `POST /api/transactions`. */
export const TransactionDraft = Schema.Struct({
  userAddress: Address,
  txHash: TransactionHash,
  action: TradeSide,
  baseToken: Address,
  quoteToken: Address,
  amountIn: Decimal,
  amountInDecimals: sentDecimalsOf("amountIn"),
  amountOut: Decimal,
  amountOutDecimals: sentDecimalsOf("amountOut"),
  pricePerToken: Decimal.annotateKey({ description: "For one whole base token, in whole quote tokens" }),
  slippageBps: SlippageBps,
  fee: Decimal,
  feeDecimals: sentDecimalsOf("fee"),
  feeToken: label({ maxLength: 64 }),
  status: Schema.optionalKey(Schema.Literal("pending")),
  chain: Chain,
  poolAddress: Address,
  lastValidBlockHeight: Schema.optionalKey(BlockHeight).annotateKey({
    description:
      "On Solana, as the builders answer it: once the chain is past it and knows nothing of the transaction, the record fails. Without it, or with one that no transaction of that age can have, an hour after it was recorded",
  }),
}).annotate({ identifier: "TransactionDraft" })
export type TransactionDraft = typeof TransactionDraft.Type

/** Body of `PATCH /api/transactions/:id/status`. */
export const StatusChange = Schema.Struct({
  status: FinalStatus,
  txHash: Schema.optionalKey(TransactionHash),
}).annotate({ identifier: "StatusChange" })
export type StatusChange = typeof StatusChange.Type
