import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"

/** No transaction record has this id (or it was deleted). */
export class TransactionNotFound extends Schema.TaggedError<TransactionNotFound>()("TransactionNotFound", {
  id: Schema.String,
}) {
  static readonly response = respondWith(TransactionNotFound, {
    status: 404,
    code: "transaction_not_found",
    message: ({ id }) => `Transaction ${id} is not recorded`,
  })
}

/** The record has ended in another status, which stands. */
export class StatusAlreadyFinal extends Schema.TaggedError<StatusAlreadyFinal>()("StatusAlreadyFinal", {
  id: Schema.String,
  status: Schema.String,
}) {
  static readonly response = respondWith(StatusAlreadyFinal, {
    status: 409,
    code: "status_already_final",
    message: ({ id, status }) => `Transaction ${id} has already ended as ${status}`,
  })
}

/** The service itself follows what the record is of: a client cannot say how it ended. */
export class StatusFollowed extends Schema.TaggedError<StatusFollowed>()("StatusFollowed", { id: Schema.String }) {
  static readonly response = respondWith(StatusFollowed, {
    status: 409,
    code: "status_followed",
    message: ({ id }) => `Transaction ${id} is a swap across chains: its status follows the swap`,
  })
}
