import { Schema } from "effect"

/** A whole number written in a query string. */
export const queryInt = (options: { readonly minimum: number; readonly maximum: number }) =>
  Schema.NumberFromString.check(
    Schema.isInt({ message: `expected a whole number from ${options.minimum} to ${options.maximum}` }),
    Schema.isBetween(options, { message: `expected a whole number from ${options.minimum} to ${options.maximum}` }),
  )

/** `true` or `false` written in a query string. */
export const queryBoolean = Schema.Literals(["true", "false"])

/**
 * How much of a list to send. Without `limit` all of it is streamed; `cursor` goes on after the row a page ended with,
 * `offset` skips rows. A cursor and an offset exclude each other.
 */
export const pagingFields = {
  limit: Schema.optionalKey(queryInt({ minimum: 1, maximum: 1000 })),
  offset: Schema.optionalKey(queryInt({ minimum: 0, maximum: 1_000_000_000 })),
  cursor: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[A-Za-z0-9_-]{1,200}$/, { message: "expected a cursor of an earlier answer" }),
    ),
  ),
}
