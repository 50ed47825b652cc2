import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { TransactionStatus } from "./Transaction.ts"

/** A client cannot change this record so: it has ended otherwise, or the service itself tracks it. */
export class RecordFixed extends Schema.TaggedError<RecordFixed>()("RecordFixed", {
  id: field(Schema.String, "Id of the record"),
  status: field(TransactionStatus, "Status of the record"),
  reason: field(Schema.String, "Why it cannot be changed so"),
}) {
  static readonly response = respondWith(RecordFixed, {
    status: 409,
    code: "record_fixed",
    message: ({ id, reason }) => `Transaction ${id} ${reason}`,
  })
}
