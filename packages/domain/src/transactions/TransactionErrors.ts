import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { Contradiction } from "../tokens/TokenErrors.ts"

/** The record already has another final status. */
export class StatusAlreadyFinal extends Schema.TaggedError<StatusAlreadyFinal>()("StatusAlreadyFinal", {
  id: field(Schema.String, "Id of the record"),
  status: field(Schema.String, "Final status of the record: success or failed"),
}) {
  static readonly response = respondWith(StatusAlreadyFinal, {
    status: 409,
    code: "status_already_final",
    message: ({ id, status }) => `Transaction ${id} has already ended as ${status}`,
  })
}

/** The record is final with another transaction hash. */
export class TransactionHashFixed extends Schema.TaggedError<TransactionHashFixed>()("TransactionHashFixed", {
  id: field(Schema.String, "Id of the record"),
  txHash: field(Schema.String, "Transaction hash of the record"),
  sentTxHash: field(Schema.String, "Transaction hash that was sent"),
}) {
  static readonly response = respondWith(TransactionHashFixed, {
    status: 409,
    code: "tx_hash_already_set",
    message: ({ id, sentTxHash, txHash }) =>
      `Transaction ${id} has already ended with the hash ${txHash}: ${sentTxHash} cannot replace it`,
  })
}

/** The transaction has landed, and its trade is another one than the request says. */
export class TradeContradicted extends Schema.TaggedError<TradeContradicted>()("TradeContradicted", {
  txHash: field(Schema.String, "Transaction hash of the request"),
  contradictions: field(Schema.Array(Contradiction), "Every field that differs from the trade on chain"),
}) {
  static readonly response = respondWith(TradeContradicted, {
    status: 409,
    code: "trade_contradicts_chain",
    message: ({ contradictions: [first, ...rest], txHash }) =>
      first === undefined
        ? `Transaction ${txHash} has no such trade on chain`
        : `${first.field} of transaction ${txHash} is ${JSON.stringify(first.onChain)} on chain; ${JSON.stringify(first.sent)} was sent${rest.length === 0 ? "" : ` (and ${rest.length} more)`}`,
  })
}

/** The user already has a record of this transaction and action, of another trade. */
export class TransactionAlreadyRecorded extends Schema.TaggedError<TransactionAlreadyRecorded>()(
  "TransactionAlreadyRecorded",
  {
    id: field(Schema.String, "Id of the record that there is"),
    txHash: field(Schema.String, "Transaction hash of the request"),
  },
) {
  static readonly response = respondWith(TransactionAlreadyRecorded, {
    status: 409,
    code: "transaction_already_recorded",
    message: ({ id, txHash }) => `Transaction ${txHash} is already recorded for this user and action, as ${id}`,
  })
}

/** The service itself tracks this record, so a client cannot report its outcome. */
export class StatusFollowed extends Schema.TaggedError<StatusFollowed>()("StatusFollowed", {
  id: field(Schema.String, "Id of the record"),
  action: field(Schema.Literals(["BRIDGE", "DEPLOY"]), "Kind of the record: a cross-chain swap or a launch"),
}) {
  static readonly response = respondWith(StatusFollowed, {
    status: 409,
    code: "status_followed",
    message: ({ action, id }) =>
      action === "BRIDGE"
        ? `Transaction ${id} is a cross-chain swap: the service updates its status`
        : `Transaction ${id} is a launch: the service updates its status`,
  })
}
