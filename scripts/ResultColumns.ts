import { parseSync } from "vite"

/** A text of a source, with its line. */
interface Text {
  readonly line: number
  readonly text: string
}

/** What stands for an expression within a template. */
const EXPRESSION = " $ "

/** All texts of a source: templates with their expressions left out, which are texts of their own, and literals. */
const textsOf = (file: string, source: string): ReadonlyArray<Text> => {
  const found: Array<Text> = []
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== "object" || node === null) return
    const { quasis, start, type, value } = node as {
      readonly type?: string
      readonly start?: number
      readonly value?: unknown
      readonly quasis?: ReadonlyArray<{ readonly value: { readonly cooked: string } }>
    }
    const text =
      type === "TemplateLiteral"
        ? quasis!.map(({ value: { cooked } }) => cooked).join(EXPRESSION)
        : type === "Literal" && typeof value === "string"
          ? value
          : undefined
    if (text !== undefined) found.push({ text, line: source.slice(0, start).split("\n").length })
    Object.values(node).forEach(walk)
  }
  walk(parseSync(file, source).program)
  return found
}

/** After these a `*` is all columns, and not a product. */
const BEFORE_ALL = new Set(["select", "returning", "distinct", "all", ",", "."])
/** Both sides of these are statements whose columns are the result's. */
const SET_OPERATIONS = new Set(["union", "intersect", "except"])

/**
 * Whether the columns of the result are those that a table has, by `*`. Within parentheses it is the columns of a subquery, which
 * the outer statement names; but not where it has `*` of it, or where they are a side of a union. An INSERT that returns
 * nothing has no columns, and neither has a fragment within its own parentheses. `* except` and `* replace` are of ClickHouse, which
 * prepares nothing.
 */
export const hasUnnamedColumns = (statement: string): boolean => {
  const tokens = (statement.match(/[a-z_]\w*|\S/gi) ?? []).map((token) => token.toLowerCase())
  const isOpening = (index: number) => tokens[index] === "("
  /** Depth of the parenthesis that is open at each token, not counting those through which columns pass. */
  const open: Array<boolean> = []
  const isUnion = tokens.some(
    (token, index) => SET_OPERATIONS.has(token) && (isOpening(index + 1) || isOpening(index + 2)),
  )
  let inserts = false
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1] ?? ""
    const depth = open.filter((counts) => counts).length
    if (token === "(") {
      const isSide = isUnion && depth === 0 && (before === "" || before === "all" || SET_OPERATIONS.has(before))
      const isOfAll = before === "from" && tokens[index - 2] === "*" && tokens[index - 3] === "select"
      open.push(!isSide && !isOfAll)
    } else if (token === ")") open.pop()
    else if (depth > 0) continue
    else if (token === "insert") inserts = true
    else if (token === "returning") inserts = false
    else if (token === "*" && !inserts && BEFORE_ALL.has(before)) {
      const isOfSubquery = before === "select" && tokens[index + 1] === "from" && isOpening(index + 2)
      if (!isOfSubquery && !["except", "replace"].includes(tokens[index + 1] ?? "")) return true
    }
  }
  return false
}

/** Statements of a source whose columns are not named, with their lines. */
export const unnamedColumns = (file: string, source: string): ReadonlyArray<string> =>
  /\b(select|returning)\b/i.test(source)
    ? textsOf(file, source)
        .filter(({ text }) => /\b(select|returning)\b/i.test(text) && hasUnnamedColumns(text))
        .map(({ line, text }) => `${file}:${line} ${text.replaceAll(/\s+/g, " ").trim().slice(0, 80)}`)
    : []
