import { String as Str } from "effect"

/** A row of the driver for a response with the same field names: points in time are dates. */
export type RowOf<Answer> = {
  readonly [Field in keyof Answer]: Field extends `${string}At` ? Date | Extract<Answer[Field], null> : Answer[Field]
}

/**
 * The select list of these fields: columns of a table alias, or the given `sources`, with the names of the fields, so that no row of
 * the result has to be renamed.
 */
export const columnsOf = (
  alias: string,
  fields: ReadonlyArray<string>,
  sources: Readonly<Record<string, string>> = {},
): string =>
  fields.map((field) => `${sources[field] ?? `${alias}.${Str.camelToSnake(field)}`} as "${field}"`).join(", ")

/**
 * Picks the fields of a response from rows with more columns; points in time become ISO 8601. Rows without further
 * columns are spread instead, which is faster.
 */
export const picking = <Answer>(fields: { readonly [Field in keyof Answer]: unknown }) => {
  const names = Object.keys(fields) as Array<keyof Answer & string>
  return (row: RowOf<Answer>): Answer => {
    const answer: Partial<Record<keyof Answer, unknown>> = {}
    for (const name of names) {
      const value: unknown = row[name]
      answer[name] = value instanceof Date ? value.toISOString() : value
    }
    return answer as Answer
  }
}
