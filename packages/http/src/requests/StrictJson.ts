import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { type InvalidIssue, ISSUES_MAX } from "@launch-registry/domain/http/ErrorEnvelope"
import { firstIssues } from "./BoundedIssues.ts"

/** No request is nested deeper; bounds recursion. */
const DEPTH_MAX = 32
/** No request has nearly as many values; rejecting a megabyte of one-digit numbers one by one would take seconds. */
const VALUES_MAX = 10_000

export type JsonResult =
  | { readonly value: unknown; readonly faults?: never }
  | { readonly value?: never; readonly faults: ReadonlyArray<InvalidIssue> }

/**
 * `JSON.parse` passes the source text of primitives to its reviver (ECMAScript proposal: JSON.parse source text
 * access).
 */
interface ReviverContext {
  readonly source?: string
}

const fault = (message: string, path = "body"): JsonResult => ({ faults: [{ path, message }] })

/**
 * Parses a JSON body strictly: no key twice in an object, no `__proto__` keys, no NUL and no lone surrogates (PostgreSQL text cannot store them),
 * at most {@link DEPTH_MAX} levels and {@link VALUES_MAX} values. A number under one of `losslessKeys` becomes a string
 * of its source text, so that 18446744073709551615 and 1e-18 keep every digit.
 */
export const parseStrictJson = (text: string, losslessKeys: ReadonlySet<string>): JsonResult => {
  const { depth, members, values } = shapeOf(text)
  if (depth > DEPTH_MAX) return fault(`expected JSON nested at most ${DEPTH_MAX} deep`)
  if (values > VALUES_MAX) return fault(`expected JSON with at most ${VALUES_MAX} values`)
  const faults: Array<InvalidIssue> = []
  const found = (path: string, message: string): void => {
    faults.push({ path, message })
    if (faults.length > ISSUES_MAX) throw ENOUGH
  }
  let kept = 0
  const revive = function (this: unknown, key: string, value: unknown, context: ReviverContext): unknown {
    if (!Array.isArray(this)) kept++
    const problem = textProblem(key) ?? (typeof value === "string" ? textProblem(value) : undefined)
    if (problem !== undefined) found(key === "" ? "body" : `body.${printable(key)}`, problem)
    if (key === "__proto__") found("body", "expected no key named __proto__")
    return typeof value === "number" && losslessKeys.has(key) ? exactText(context.source ?? String(value)) : value
  }
  try {
    const parse = JSON.parse as (
      text: string,
      revive: (this: unknown, key: string, value: unknown, context: ReviverContext) => unknown,
    ) => unknown
    const value = parse(text, revive)
    // The root is passed as the member of an object, too. Parsers differ in which of two equal keys counts.
    if (kept - 1 < members) return fault("expected every key of an object once")
    return faults.length === 0 ? { value } : { faults }
  } catch (error) {
    return error === ENOUGH ? { faults: firstIssues("body", faults) } : fault("expected a valid JSON body")
  }
}

/** Thrown to stop parsing after enough issues. */
const ENOUGH = Symbol("enough faults")

/** Normalizes a number: 1e9 and 1000000000.0 become the same text. */
const exactText = (source: string): string => plainDecimal(source) ?? source

const textProblem = (text: string): string | undefined => {
  if (text.includes("\0")) return "expected text without NUL characters"
  if (!text.isWellFormed()) return "expected well-formed Unicode (no lone surrogates)"
  return undefined
}

const printable = (key: string): string => key.toWellFormed().replaceAll("\0", "").slice(0, 64)

/**
 * Nesting depth, members of objects (colons outside of strings), and an upper bound of the number of values: commas and opening
 * brackets outside of strings, plus one.
 */
const shapeOf = (text: string): { readonly depth: number; readonly members: number; readonly values: number } => {
  let depth = 0
  let deepest = 0
  let members = 0
  let values = 1
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 92) at++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 44) values++
    else if (code === 58) members++
    else if (code === 91 || code === 123) {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (code === 93 || code === 125) depth--
  }
  return { depth: deepest, members, values }
}
