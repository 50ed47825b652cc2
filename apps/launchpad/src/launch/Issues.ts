import type { Refusal } from "@launch-registry/client"

/** What is wrong with fields of the form, by their names; `""` has what is about none of them. */
export type Issues = Readonly<Record<string, string>>

const FIELDS = ["name", "symbol", "description", "website", "twitter", "telegram", "firstBuy", "priorityFee"]
/** Those of a configuration by the field of the form that it is made of. */
const FIGURES: Readonly<Record<string, string>> = {
  totalTokenSupply: "supply",
  buildCurveParam: "migrationMarketCap",
  baseFeeParams: "fee",
}

/** The field of the form that a path of a request is about, such as `body.metadata.name` or `body.firstBuy.amount`. */
const fieldOf = (path: string, isOwn: boolean): string => {
  const [first = "", second = ""] = path.replace(/^body\.(metadata\.)?/, "").split(".")
  if (first === "dbcConfig") return isOwn ? (FIGURES[second] ?? "") : ""
  return FIELDS.includes(first) ? first : ""
}

interface Issue {
  readonly path: string
  readonly message: string
}

/** The issues of a refusal beside the fields that they are about, with those of own figures (`isOwn`); `undefined` where it names none. */
export const issuesOf = (
  refusal: Refusal & { readonly issues?: ReadonlyArray<Issue> },
  isOwn = false,
): Issues | undefined => {
  const { issues = [] } = refusal
  if (issues.length === 0) return undefined
  const found: Record<string, string> = {}
  for (const { message, path } of issues) {
    const field = fieldOf(path, isOwn)
    const text = field === "" ? `${path}: ${message}` : message
    found[field] = found[field] === undefined ? text : `${found[field]}; ${text}`
  }
  return found
}
