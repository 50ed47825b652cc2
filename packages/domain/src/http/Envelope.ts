import { Schema } from "effect"
import { field } from "./Field.ts"

const success = field(Schema.Literal(true), "true: the request succeeded")
const message = field(Schema.String, "What was done, human-readable")

/** `{success: true, data, message?}`: the body of most successful responses. */
export const Data = <S extends Schema.Top>(data: S) =>
  Schema.Struct({ success, data, message: Schema.optionalKey(message) })

/** Absent when the whole list was sent. */
export const Pagination = Schema.Struct({
  limit: field(Schema.Int, "Maximum number of rows in the page"),
  nextCursor: Schema.NullOr(Schema.String).annotate({
    description: "Send as `cursor` to get the next page; null on the last page",
  }),
}).annotate({
  identifier: "Pagination",
  description: "How to get the next page; absent when the response is the whole list",
})

/** `{success: true, data: [...], pagination?}`. */
export const DataList = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    success,
    data: field(Schema.Array(item), "Rows of the list, in the order that the operation describes"),
    pagination: Schema.optionalKey(Pagination),
    message: Schema.optionalKey(message),
  })

/** `{deleted: true}`: the payload of every DELETE. */
export const Deleted = Schema.Struct({
  deleted: field(Schema.Literal(true), "true: it is deleted"),
}).annotate({ identifier: "Deleted", description: "The resource is deleted" })
