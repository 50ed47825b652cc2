import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

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

/** The credential is valid, but does not permit the operation. See docs/access.md. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  reason: field(Schema.String, "What the operation requires"),
}) {
  static readonly response = respondWith(Forbidden, {
    status: 403,
    code: "forbidden",
    message: ({ reason }) => `Not permitted: ${reason}`,
  })
}

/** A browser sent the write for a page of another site, or to a host that is not known as the service's, and writes are open. See docs/access.md. */
export class CrossSiteWrite extends Schema.TaggedError<CrossSiteWrite>()("CrossSiteWrite", {
  origin: field(Schema.String, "Origin of the page; empty if the browser does not say it"),
  host: Schema.optionalKey(field(Schema.String, "Host of the request, if the service does not know it as its own")),
}) {
  static readonly response = respondWith(CrossSiteWrite, {
    status: 403,
    code: "cross_site_write",
    message: ({ host, origin }) =>
      host === undefined
        ? `Pages of ${origin === "" ? "other sites" : origin} may not write here; the operator allows origins with CORS_ORIGINS`
        : `Pages may not write to ${host}, which is not known as a host of this service; the operator names it with PUBLIC_URL or CORS_ORIGINS`,
  })
}

/** What the description of such an operation ends with. */
export const ONLY_WITH_OPERATORS = "Only where operators are configured (503 `not_configured` otherwise)."
