import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"
import { field } from "./Field.ts"

/** The deployment requires a credential for the operation, and the request has no valid one. See docs/access.md. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  reason: field(Schema.String, "What is wrong with the credential"),
  expectedMessage: Schema.optionalKey(field(Schema.String, "Text that the wallet has to sign for this request")),
}) {
  static readonly response = respondWith(Unauthenticated, {
    status: 401,
    code: "unauthenticated",
    message: ({ reason }) => `Not authenticated: ${reason}`,
  })
}

/**
 * The credential is valid but does not permit the operation; or nobody may do this here: a browser that writes for a page
 * of another site or to an unknown host, a transaction that calls a program which is not sent. See docs/access.md.
 */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  reason: field(Schema.String, "What the operation requires"),
}) {
  static readonly response = respondWith(Forbidden, {
    status: 403,
    code: "forbidden",
    message: ({ reason }) => `Not permitted: ${reason}`,
  })
}

/** What the description of such an operation ends with. */
export const ONLY_WITH_OPERATORS = "Only where operators are configured (503 `not_configured` otherwise)."
