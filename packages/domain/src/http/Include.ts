import { Schema } from "effect"
import { field } from "./Field.ts"

const VALUES_MAX = 10

/** Parts of an answer that are made on request only: some of `names`, with commas between them. */
export const including = (names: ReadonlyArray<string>, description: string) => {
  const some = names.join("|")
  return Schema.optionalKey(
    field(
      Schema.String.check(
        Schema.isPattern(new RegExp(`^(${some})(,(${some})){0,${VALUES_MAX - 1}}$`), {
          message: `expected one or more of: ${names.join(", ")}`,
        }),
        Schema.isMaxLength(VALUES_MAX * (Math.max(...names.map(({ length }) => length)) + 1)),
      ),
      description,
    ),
  )
}

/** Whether a request asks for a part. */
export const isIncluded = ({ include }: { readonly include?: string }, name: string): boolean =>
  include?.split(",").includes(name) ?? false
