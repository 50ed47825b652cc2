import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { type InvalidIssue, ISSUES_MAX } from "@launch-registry/domain/http/ErrorEnvelope"
import { firstIssues } from "./BoundedIssues.ts"

/** Nesting past this is no request of ours, and keeps recursion over the value shallow. */
const DEPTH_MAX = 32
/** No request of ours has nearly as many values; a megabyte of one-digit numbers would take seconds to refuse one by one. */
const VALUES_MAX = 10_000

export type JsonResult =
  | { readonly value: unknown; readonly faults?: never }
  | { readonly value?: never; readonly faults: ReadonlyArray<InvalidIssue> }

/** `JSON.parse` hands the source text of a number to its reviver (ECMAScript 2026, JSON.parse source text access). */
interface ReviverContext {
  readonly source?: string
}

const fault = (message: string, path = "body"): JsonResult => ({ faults: [{ path, message }] })

/**
 * Parses a JSON body strictly: no `__proto__` keys, no NUL and no lone surrogates (PostgreSQL text holds neither), no
 * deeper than {@link DEPTH_MAX}, no more values than {@link VALUES_MAX}. A number under one of `losslessKeys` becomes a string made of its source text, so that
 * 18446744073709551615 and 1e-18 arrive with every digit.
 */
export const parseStrictJson = (text: string, losslessKeys: ReadonlySet<string>): JsonResult => {
  const { depth, values } = shapeOf(text)
  if (depth > DEPTH_MAX) return fault(`expected JSON nested at most ${DEPTH_MAX} deep`)
  if (values > VALUES_MAX) return fault(`expected JSON with at most ${VALUES_MAX} values`)
  const faults: Array<InvalidIssue> = []
  const found = (path: string, message: string): void => {
    faults.push({ path, message })
    if (faults.length > ISSUES_MAX) throw ENOUGH
  }
  const revive = (key: string, value: unknown, context: ReviverContext): unknown => {
    const problem = textProblem(key) ?? (typeof value === "string" ? textProblem(value) : undefined)
    if (problem !== undefined) found(key === "" ? "body" : `body.${printable(key)}`, problem)
    if (key === "__proto__") found("body", "expected no key named __proto__")
    return typeof value === "number" && losslessKeys.has(key) ? exactText(context.source ?? String(value)) : value
  }
  try {
    const parse = JSON.parse as (
      text: string,
      revive: (key: string, value: unknown, context: ReviverContext) => unknown,
    ) => unknown
    const value = parse(text, revive)
    return faults.length === 0 ? { value } : { faults }
  } catch (error) {
    return error === ENOUGH ? { faults: firstIssues("body", faults) } : fault("expected a valid JSON body")
  }
}

/** Ends parsing once there are more faults than are answered. */
const ENOUGH = Symbol("enough faults")

/** A number without its exponent and superfluous zeros: 1e9 and 1000000000.0 are the same whole number. */
const exactText = (source: string): string => plainDecimal(source) ?? source

const textProblem = (text: string): string | undefined => {
  if (text.includes("\0")) return "expected text without NUL characters"
  if (!text.isWellFormed()) return "expected well-formed Unicode (no lone surrogates)"
  return undefined
}

const printable = (key: string): string => key.toWellFormed().replaceAll("\0", "").slice(0, 64)

/** Deepest nesting of brackets, and how many values there are at most: one for each comma and opening bracket outside strings, and one. */
const shapeOf = (text: string): { readonly depth: number; readonly values: number } => {
  let depth = 0
  let deepest = 0
  let values = 1
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 92) at++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 44) values++
    else if (code === 91 || code === 123) {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (code === 93 || code === 125) depth--
  }
  return { depth: deepest, values }
}
