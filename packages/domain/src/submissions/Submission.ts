import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { Signature } from "../solana/Signature.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { BlockHeight, TransactionDraft, TransactionId } from "../transactions/Transaction.ts"

/** 4,096 bytes in base64: the longest transaction, of version 1. */
const BASE64_LENGTH_MAX = 5_464
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Where a submission is on its way. */
export const SubmissionState = Schema.Literals([
  ...["pending", "processed", "confirmed", "finalized", "failed", "expired"],
] as const).annotate({
  identifier: "SubmissionState",
  description:
    "pending: stored, and sent until it lands. processed, confirmed, finalized: it landed, with the commitment of the network. failed: it landed, and its program failed. expired: it did not land, and cannot any more, or a block holds it without having executed it, because its fee payer could not pay",
})
export type SubmissionState = typeof SubmissionState.Type

/** Why a transaction failed. */
export const SubmissionFailure = Schema.Struct({
  code: field(
    Schema.String,
    "Name of the program's error, such as ExceededSlippage, where it is known; else of the network's error",
  ),
  message: field(Schema.String, "What went wrong, in words"),
  instruction: Schema.NullOr(Schema.Int).annotate({
    description: "Index of the instruction that failed, from 0; null where none is to blame",
  }),
  program: Schema.NullOr(Schema.String).annotate({
    description: "Program that failed, which another one may have called; null where none is to blame",
  }),
  customCode: Schema.NullOr(Schema.Int).annotate({
    description: "The program's number of its error; null without one",
  }),
}).annotate({ identifier: "SubmissionFailure", description: "Why a transaction failed" })
export type SubmissionFailure = typeof SubmissionFailure.Type

/** A transaction that was submitted. */
export const Submission = Schema.Struct({
  signature: field(Signature, "Signature of the transaction, base58"),
  state: SubmissionState,
  isFinal: field(
    Schema.Boolean,
    "Whether the state is the last one. Until then a fork can take back what landed: the state is pending again",
  ),
  slot: Schema.NullOr(Schema.String).annotate({
    description: "Slot that the transaction landed in, a decimal string; null while it has not",
  }),
  error: Schema.NullOr(SubmissionFailure).annotate({
    description: "Why the transaction failed, or why nodes refused it before it landed; null otherwise",
  }),
  feePayer: field(Address, "Wallet that pays the fee: the first signer"),
  blockhash: field(Schema.String, "Blockhash of the transaction, base58"),
  lastValidBlockHeight: Schema.NullOr(Schema.String).annotate({
    description:
      "Block height after which the transaction is not sent any more, a decimal string; null until a node has answered",
  }),
  sends: field(Schema.Int, "How often an RPC endpoint has taken the transaction; the bytes are the same each time"),
  recordId: Schema.NullOr(TransactionId).annotate({
    description: "Transaction record that was made with the submission; null without one",
  }),
  createdAt: field(Timestamp, "When the transaction was submitted"),
  updatedAt: field(Timestamp, "When the state last changed"),
}).annotate({ identifier: "Submission", description: "A signed transaction on its way to the chain" })
export type Submission = typeof Submission.Type

const {
  chain: _chain,
  lastValidBlockHeight: _height,
  status: _status,
  txHash: _txHash,
  ...recorded
} = TransactionDraft.fields

/** The trade of a submitted transaction, as in `POST /api/transactions`. */
export const SubmissionRecord = Schema.Struct(recorded).annotate({
  identifier: "SubmissionRecord",
  description:
    "A trade to record with the transaction: the body of POST /api/transactions, without what follows from it",
})
export type SubmissionRecord = typeof SubmissionRecord.Type

/** Body of `POST /api/launch/submit`. */
export const SubmitRequest = Schema.Struct({
  transaction: field(
    Schema.String.check(
      Schema.makeFilter((text: string) => {
        if (text.length > BASE64_LENGTH_MAX) return "expected a transaction of at most 4096 bytes"
        return (text.length % 4 === 0 && BASE64.test(text)) || "expected a signed transaction in base64"
      }),
      Schema.isMaxLength(BASE64_LENGTH_MAX),
    ),
    "The signed transaction as it goes over the wire, in base64, with every signature: legacy or version 0, at most 1232 bytes, or version 1, at most 4096",
  ),
  lastValidBlockHeight: Schema.optionalKey(
    field(
      BlockHeight,
      "The lastValidBlockHeight that came with the transaction; without it, 150 blocks from now. The service sends until then",
    ),
  ),
  skipPreflight: Schema.optionalKey(
    field(
      Schema.Boolean,
      "true: not simulated first, such as a transaction that needs another one to land before it. It then may land and fail, for its fee",
    ),
  ),
  record: Schema.optionalKey(SubmissionRecord),
}).annotate({ identifier: "SubmitRequest", description: "A signed transaction to send" })
export type SubmitRequest = typeof SubmitRequest.Type
