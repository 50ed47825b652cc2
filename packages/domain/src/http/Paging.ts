import { Schema, SchemaGetter } from "effect"
import { field } from "./Field.ts"

/** Rows of a page when nobody says how many. */
export const PAGE_LIMIT = 100

const LIST_LIMIT_MAX = 1000

/** Bounds of a whole number, and what it is when it is left out, where that is something. */
interface WholeNumber {
  readonly minimum: number
  readonly maximum: number
  readonly default?: number
}

/** A whole number written in a query string, in decimal digits alone. */
const queryInt = ({ maximum, minimum, ...otherwise }: WholeNumber) => {
  const message = `expected a whole number from ${minimum} to ${maximum}`
  return Schema.String.check(
    Schema.makeFilter(
      (text: string) => (/^\d{1,10}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum) || message,
    ),
    Schema.isMaxLength(10),
  )
    .annotate({
      description: `A whole number from ${minimum} to ${maximum}, in decimal digits`,
      contentSchema: { type: "integer", minimum, maximum, ...otherwise },
    })
    .pipe(
      Schema.decodeTo(Schema.Number, {
        decode: SchemaGetter.transform((text: string) => Number(text)),
        encode: SchemaGetter.transform((value: number) => String(value)),
      }),
    )
}

/** `true` or `false` written in a query string. */
export const queryBoolean = Schema.Literals(["true", "false"]).annotate({ contentSchema: { type: "boolean" } })

const mostRows = (bounds: Omit<WholeNumber, "minimum">) =>
  field(queryInt({ minimum: 1, ...bounds }), `Maximum number of rows to answer, 1 to ${bounds.maximum}`)

/** How many rows a page has: so many when it is left out. */
export const pageLimit = (rows: number, maximum = LIST_LIMIT_MAX) =>
  Schema.optionalKey(mostRows({ maximum, default: rows }))

/**
 * How much of a list to send. Without `limit` all of it is streamed; `cursor` goes on after the row a page ended with,
 * `offset` skips rows. A cursor and an offset above 0 exclude each other.
 */
export const pagingFields = {
  limit: Schema.optionalKey(mostRows({ maximum: LIST_LIMIT_MAX })),
  offset: Schema.optionalKey(
    field(
      queryInt({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
      "Rows to skip before the first one; with `cursor`, 0 alone",
    ),
  ),
  cursor: Schema.optionalKey(
    field(
      Schema.String.check(
        Schema.isPattern(/^[A-Za-z0-9_-]{1,200}$/, { message: "expected a cursor of an earlier answer" }),
        Schema.isMaxLength(200),
      ),
      "Where the page begins: `pagination.nextCursor` of the page before; not with an `offset` above 0",
    ),
  ),
}

/** {@link pagingFields} of a list that is answered page by page, whatever is asked for. */
export const pageFields = { ...pagingFields, limit: pageLimit(PAGE_LIMIT) }
