import { Schema } from "effect"

/** Parts of an answer to add, comma-separated in one parameter; each at most once. */
export const includeList = <Part extends string>(parts: readonly [Part, ...ReadonlyArray<Part>]) => {
  const expected = `expected ${parts.join(" or ")}${parts.length > 1 ? ", comma-separated" : ""}`
  const isPart = (text: string): boolean => (parts as ReadonlyArray<string>).includes(text)
  return Schema.String.check(
    Schema.makeFilter((text: string) => {
      const asked = text.split(",", parts.length + 1)
      return (asked.length === new Set(asked).size && asked.every(isPart)) || expected
    }),
    Schema.isMaxLength(parts.join().length),
  )
}

/** Whether a part is asked for. */
export const includes = (list: string | undefined, part: string): boolean => list?.split(",").includes(part) === true
