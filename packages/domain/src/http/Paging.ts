import { Schema, SchemaGetter } from "effect"
import { field } from "./Field.ts"

/** A whole number written in a query string, in decimal digits alone. */
export const queryInt = ({ maximum, minimum }: { readonly minimum: number; readonly maximum: number }) => {
  const message = `expected a whole number from ${minimum} to ${maximum}`
  return Schema.String.check(
    Schema.makeFilter(
      (text: string) => (/^\d{1,10}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum) || message,
    ),
    Schema.isMaxLength(10),
  )
    .annotate({ description: `A whole number from ${minimum} to ${maximum}, in decimal digits` })
    .pipe(
      Schema.decodeTo(Schema.Number, {
        decode: SchemaGetter.transform((text: string) => Number(text)),
        encode: SchemaGetter.transform((value: number) => String(value)),
      }),
    )
}

/** `true` or `false` written in a query string. */
export const queryBoolean = Schema.Literals(["true", "false"])

/**
 * How much of a list to send. Without `limit` all of it is streamed; `cursor` goes on after the row a page ended with,
 * `offset` skips rows. A cursor and an offset exclude each other.
 */
export const pagingFields = {
  limit: Schema.optionalKey(field(queryInt({ minimum: 1, maximum: 1000 }), "Most rows to answer, 1 to 1000")),
  offset: Schema.optionalKey(
    field(queryInt({ minimum: 0, maximum: 1_000_000_000 }), "Rows to skip before the first one; not with `cursor`"),
  ),
  cursor: Schema.optionalKey(
    field(
      Schema.String.check(
        Schema.isPattern(/^[A-Za-z0-9_-]{1,200}$/, { message: "expected a cursor of an earlier answer" }),
        Schema.isMaxLength(200),
      ),
      "Where the page begins: `pagination.nextCursor` of the page before; not with `offset`",
    ),
  ),
}
