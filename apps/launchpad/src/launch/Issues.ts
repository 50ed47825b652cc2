import type { Refusal } from "@launch-registry/client"

/** What is wrong with fields of the form, by their names; `""` has what is about none of them. */
export type Issues = Readonly<Record<string, string>>

const FIELDS = "name symbol description website twitter telegram firstBuy priorityFee poolMetadata".split(" ")
/** Fields of a configuration by that of the form which they are made of. */
const FIGURES = new Map([
  ["totalTokenSupply", "supply"],
  ["buildCurveParam", "raises"],
  ["baseFeeParams", "fee"],
])

/** The field of the form that a path of a request is about, such as `body.metadata.name` or `body.firstBuy.amount`. */
const fieldOf = (path: string): string => {
  const [first = "", second = ""] = path.replace(/^body\.(metadata\.)?/, "").split(".")
  return FIELDS.includes(first) ? first : first === "dbcConfig" ? (FIGURES.get(second) ?? "") : ""
}

interface Issue {
  readonly path: string
  readonly message: string
}

/** The issues of a refusal beside the fields that they are about; `undefined` where it names none. */
export const issuesOf = ({ issues = [] }: Refusal & { readonly issues?: ReadonlyArray<Issue> }): Issues | undefined => {
  if (issues.length === 0) return undefined
  const found = Object.entries(Object.groupBy(issues, ({ path }) => fieldOf(path)))
  return Object.fromEntries(
    found.map(([field, about = []]) => [
      field,
      about.map(({ message, path }) => (field === "" ? `${path}: ${message}` : message)).join("; "),
    ]),
  )
}
