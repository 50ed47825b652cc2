import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"

/** Nesting past this is no request of ours, and keeps recursion over the value shallow. */
const DEPTH_MAX = 32

/** Why a text was not taken as a JSON body: where, as a dotted path, and what was expected. */
export interface JsonFault {
  readonly path: string
  readonly message: string
}

export type JsonResult =
  | { readonly value: unknown; readonly faults?: never }
  | { readonly value?: never; readonly faults: ReadonlyArray<JsonFault> }

/** `JSON.parse` hands the source text of a number to its reviver (ECMAScript 2026, JSON.parse source text access). */
interface ReviverContext {
  readonly source?: string
}

const fault = (message: string, path = "body"): JsonResult => ({ faults: [{ path, message }] })

/**
 * Parses a JSON body strictly: no `__proto__` keys, no NUL and no lone surrogates (PostgreSQL text holds neither), no
 * deeper than {@link DEPTH_MAX}. A number under one of `losslessKeys` becomes a string made of its source text, so that
 * 18446744073709551615 and 1e-18 arrive with every digit.
 */
export const parseStrictJson = (text: string, losslessKeys: ReadonlySet<string>): JsonResult => {
  if (depthOf(text) > DEPTH_MAX) return fault(`expected JSON nested at most ${DEPTH_MAX} deep`)
  const faults: Array<JsonFault> = []
  const revive = (key: string, value: unknown, context: ReviverContext): unknown => {
    const problem = textProblem(key) ?? (typeof value === "string" ? textProblem(value) : undefined)
    if (problem !== undefined) faults.push({ path: key === "" ? "body" : `body.${printable(key)}`, message: problem })
    if (key === "__proto__") faults.push({ path: "body", message: "expected no key named __proto__" })
    return typeof value === "number" && losslessKeys.has(key) ? exactText(context.source ?? String(value)) : value
  }
  try {
    const parse = JSON.parse as (
      text: string,
      revive: (key: string, value: unknown, context: ReviverContext) => unknown,
    ) => unknown
    const value = parse(text, revive)
    return faults.length === 0 ? { value } : { faults }
  } catch {
    return fault("expected a valid JSON body")
  }
}

/** A number without its exponent and superfluous zeros: 1e9 and 1000000000.0 are the same whole number. */
const exactText = (source: string): string => plainDecimal(source) ?? source

const textProblem = (text: string): string | undefined => {
  if (text.includes("\0")) return "expected text without NUL characters"
  if (!text.isWellFormed()) return "expected well-formed Unicode (no lone surrogates)"
  return undefined
}

const printable = (key: string): string => key.toWellFormed().replaceAll("\0", "").slice(0, 64)

/** Deepest nesting of brackets outside strings. */
const depthOf = (text: string): number => {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 92) at++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth)
    else if (code === 93 || code === 125) depth--
  }
  return deepest
}
