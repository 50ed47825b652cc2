import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"
import { field } from "./Field.ts"

/** The mint is registered, or the user has a record of this transaction and action, of another trade: as `id`. */
export class AlreadyExists extends Schema.TaggedError<AlreadyExists>()("AlreadyExists", {
  resource: field(Schema.Literals(["token", "transaction"]), "What there is already"),
  id: field(Schema.String, "Its id"),
}) {
  static readonly response = respondWith(AlreadyExists, {
    status: 409,
    code: "already_exists",
    message: ({ id, resource }) =>
      resource === "token"
        ? `The mint is already registered, as token ${id}`
        : `The transaction is already recorded for this user and action, as ${id}`,
  })
}
