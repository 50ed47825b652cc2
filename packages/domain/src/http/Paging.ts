import { Schema, SchemaGetter } from "effect"
import { field } from "./Field.ts"

/** Default page size. */
export const PAGE_LIMIT = 100

const LIST_LIMIT_MAX = 1000

/** Rows are read to be skipped; a cursor goes further. */
export const OFFSET_MAX = 10_000

/** What is said of a cursor of another query, or of none. */
export const CURSOR_EXPECTED = "expected a cursor of an earlier response to the same query, or none to begin again"

/** Bounds of a whole number, and its default if it has one. */
interface WholeNumber {
  readonly minimum: number
  readonly maximum: number
  readonly default?: number
}

/** A whole number in a query string, decimal digits only. */
const queryInt = ({ maximum, minimum, ...otherwise }: WholeNumber, advice = "") => {
  const message = `expected a whole number from ${minimum} to ${maximum}${advice}`
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

/** `true` or `false` in a query string. */
export const queryBoolean = Schema.Literals(["true", "false"]).annotate({ contentSchema: { type: "boolean" } })

const mostRows = (bounds: Omit<WholeNumber, "minimum">) =>
  field(queryInt({ minimum: 1, ...bounds }), `Maximum number of rows to return, 1 to ${bounds.maximum}`)

/** The `limit` of a page, `rows` by default. */
export const pageLimit = (rows: number, maximum = LIST_LIMIT_MAX) =>
  Schema.optionalKey(mostRows({ maximum, default: rows }))

const rowsToSkip = queryInt({ minimum: 0, maximum: OFFSET_MAX, default: 0 }, "; a cursor goes further")

/**
 * Pagination of a list. Without `limit` the whole list is streamed. `cursor` continues after the last row of a page,
 * `offset` skips rows; a cursor and an offset above 0 exclude each other.
 */
export const pagingFields = {
  limit: Schema.optionalKey(mostRows({ maximum: LIST_LIMIT_MAX })),
  offset: Schema.optionalKey(
    field(rowsToSkip, `Rows to skip, at most ${OFFSET_MAX}: a cursor goes further; must be 0 with \`cursor\``),
  ),
  cursor: Schema.optionalKey(
    field(
      Schema.String.check(
        Schema.isPattern(/^[A-Za-z0-9_-]{1,200}$/, { message: CURSOR_EXPECTED }),
        Schema.isMaxLength(200),
      ),
      "Where the page starts: `pagination.nextCursor` of the previous page, with the same filters and order; not with an `offset` above 0",
    ),
  ),
}

/** The same of a list that is always paged, and has no `offset`. */
export const cursorFields = { limit: pageLimit(PAGE_LIMIT), cursor: pagingFields.cursor }

/** {@link pagingFields} of a list that is always paged. */
export const pageFields = { ...pagingFields, limit: pageLimit(PAGE_LIMIT) }
