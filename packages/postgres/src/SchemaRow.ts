import { String as Str } from "effect"

/** A row as the driver gives it, for an answer whose fields are columns of the same names: points in time are dates. */
export type RowOf<Answer> = {
  readonly [Field in keyof Answer]: Field extends `${string}At` ? Date | Extract<Answer[Field], null> : Answer[Field]
}

/**
 * The select list of these fields: columns of a table alias, where nothing else is said of their `sources`. The SQL client names
 * what comes back by the same rule.
 */
export const columnsOf = (
  alias: string,
  fields: ReadonlyArray<string>,
  sources: Readonly<Record<string, string>> = {},
): string =>
  fields
    .map((field) => `${sources[field] ?? `${alias}.${Str.camelToSnake(field)}`} as ${Str.camelToSnake(field)}`)
    .join(", ")

/**
 * Picks an answer out of rows that hold more than that: the fields of its schema, points in time as ISO 8601. Rows that hold
 * nothing else are spread, which is faster.
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
