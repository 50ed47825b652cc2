import { Schema } from "effect"

const message = Schema.String.annotate({ description: "Human-readable text" })

/** `{success: true, data, message?}`: the answer of most endpoints (specification, section 1). */
export const Data = <S extends Schema.Top>(data: S) =>
  Schema.Struct({ success: Schema.Literal(true), data, message: Schema.optionalKey(message) })

/** How a list went on: absent when the whole list was sent. */
export const Pagination = Schema.Struct({
  limit: Schema.Int,
  nextCursor: Schema.NullOr(Schema.String).annotate({
    description: "Pass as `cursor` for the next page; null on the last",
  }),
}).annotate({ identifier: "Pagination" })

/** `{success: true, data: [...], pagination?}`. */
export const DataList = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    success: Schema.Literal(true),
    data: Schema.Array(item),
    pagination: Schema.optionalKey(Pagination),
    message: Schema.optionalKey(message),
  })

/** `{deleted: true}`, the payload of every delete. */
export const Deleted = Schema.Struct({ deleted: Schema.Literal(true) }).annotate({ identifier: "Deleted" })
