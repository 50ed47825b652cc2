import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { cursorFields } from "../http/Paging.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { IsoTime, Timestamp } from "../time/Timestamp.ts"
import { ONLY_WITH_OPERATORS } from "../http/AccessErrors.ts"
import { RequiredAccess } from "./RequiredAccess.ts"

/** A write of a known caller, refused ones included. */
export const AuditEntry = Schema.Struct({
  id: field(Schema.String, "Id of the entry, a decimal string"),
  at: field(Timestamp, "When the request began"),
  caller: field(
    Schema.Struct({
      kind: field(Schema.Literals(["key", "wallet"]), "key: an API key. wallet: a wallet that signed the request"),
      id: field(Schema.String, "Id of the key, or address of the wallet"),
      name: field(Schema.NullOr(Schema.String), "Name of the key; null for a wallet"),
    }),
    "Who sent the request",
  ),
  method: field(Schema.String, "Method of the operation"),
  route: field(Schema.String, "Path of the operation as it is declared, such as /api/tokens/:id"),
  subject: field(
    Schema.NullOr(Schema.String),
    "What was written to: an id, a mint, a signature, an address or the name of an endpoint; null if unknown",
  ),
  reason: field(Schema.NullOr(Schema.String), "Why, where the operation asks for a reason; null otherwise"),
  status: field(
    Schema.NullOr(Schema.Int),
    "HTTP status of the answer; null while there is none, and if the process ended or the client left before it",
  ),
  requestId: field(Schema.String, "Id of the request, as in the header x-request-id"),
}).annotate({ identifier: "AuditEntry", description: "A write, and who sent it. No bodies, no secrets" })
export type AuditEntry = typeof AuditEntry.Type

const text = (maxLength: number) => Schema.String.check(Schema.isBetweenLength(1, maxLength))

/** Filters of the audit log. */
export const AuditFilter = Schema.Struct({
  caller: Schema.optionalKey(field(text(100), "Only writes of this key, by id or name, or of this wallet")),
  method: Schema.optionalKey(field(Schema.Literals(["POST", "PUT", "PATCH", "DELETE"]), "Only writes of this method")),
  route: Schema.optionalKey(field(text(200), "Only writes of this operation: its path as declared, with :id")),
  subject: Schema.optionalKey(field(text(200), "Only writes to exactly this id, mint, signature, address or name")),
  requestId: Schema.optionalKey(field(text(101), "Only the write with this request id, as in the header x-request-id")),
  startDate: Schema.optionalKey(
    field(IsoTime, "Only writes at this time or later: an ISO 8601 date or date-time, UTC without an offset"),
  ),
  endDate: Schema.optionalKey(
    field(IsoTime, "Only writes at this time or earlier; a date without a time means the end of that day"),
  ),
})
export type AuditFilter = typeof AuditFilter.Type

/** `/api/system/audit`. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/api/system/audit", {
      query: { ...AuditFilter.fields, ...cursorFields },
      success: DataList(AuditEntry),
      error: [NotConfigured.response],
    })
      .annotate(RequiredAccess, "system")
      .annotateMerge(
        describe(
          "Read the audit log",
          `Who wrote what, newest first, as a page; \`limit\` is 100 by default. ${ONLY_WITH_OPERATORS}`,
        ),
      ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Audit", description: "What known callers wrote, for operators" })) {}
