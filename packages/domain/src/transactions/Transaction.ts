import { Schema, SchemaGetter } from "effect"
import { Decimal, DecimalText } from "../amounts/Decimal.ts"
import { Address } from "../solana/Address.ts"
import { label } from "../text/PlainText.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Primary key of a transaction record: a UUID (version 7 when made here, so that ids sort by time). */
export const TransactionId = Schema.String.check(Schema.isGUID({ expected: "a UUID" })).pipe(
  Schema.brand("TransactionId"),
)
export type TransactionId = typeof TransactionId.Type

/** What clients may record. */
export const TradeAction = Schema.Literals(["BUY", "SELL"]).annotate({ identifier: "TradeAction" })

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
)

const BPS_EXPECTED = "expected a whole number from 0 to 10000"

/** Basis points, 0 to 10000; a whole number, also as a string. */
export const SlippageBps = Schema.Union([Schema.String, Schema.Number])
  .annotate({ message: BPS_EXPECTED })
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

/**
 * A transaction record as it is answered (specification, section 2): every number is a string. Addresses and assets of a
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
  amountOut: DecimalText,
  pricePerToken: DecimalText,
  slippageBps: Schema.String,
  fee: DecimalText,
  feeToken: Schema.String,
  status: TransactionStatus,
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
  action: TradeAction,
  baseToken: Address,
  quoteToken: Address,
  amountIn: Decimal,
  amountOut: Decimal,
  pricePerToken: Decimal,
  slippageBps: SlippageBps,
  fee: Decimal,
  feeToken: label({ maxLength: 64 }),
  status: Schema.optionalKey(Schema.Literal("pending")),
  chain: Chain,
  poolAddress: Address,
}).annotate({ identifier: "TransactionDraft" })
export type TransactionDraft = typeof TransactionDraft.Type

/** Body of `PATCH /api/transactions/:id/status`. */
export const StatusChange = Schema.Struct({
  status: FinalStatus,
  txHash: Schema.optionalKey(TransactionHash),
}).annotate({ identifier: "StatusChange" })
export type StatusChange = typeof StatusChange.Type
