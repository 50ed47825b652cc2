import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { SchemaAST, SchemaIssue } from "effect"
import { boundedIssues, firstIssues } from "./BoundedIssues.ts"
import { expectedType } from "./ExpectedType.ts"
import { NAME_LENGTH_MAX } from "./NearestName.ts"
import { knownNames, unknownName } from "./UnknownNames.ts"

/** A body can have thousands of issues, and each unknown name is compared with all known ones. */
const READ_MAX = 100

/** Issues collected from one part of a request. */
interface Reading {
  /** One issue per path: the first one stands. */
  readonly messages: Map<string, string>
  unknownFields: number
}

const isFull = ({ messages }: Reading): boolean => messages.size > READ_MAX

/**
 * The issues of a part of a request (`body`, `query`) in plain words: what is expected, never the value, which may be a
 * secret.
 */
export const issuesOf = (part: string, issue: SchemaIssue.Issue): ReadonlyArray<InvalidIssue> => {
  const reading: Reading = { messages: new Map(), unknownFields: 0 }
  read(issue, part, reading)
  const issues = [...reading.messages].map(([path, message]) => ({ path, message }))
  return isFull(reading) ? firstIssues(part, issues) : boundedIssues(part, issues)
}

const read = (issue: SchemaIssue.Issue, path: string, reading: Reading): void => {
  switch (issue._tag) {
    case "Pointer": {
      if (issue.issue._tag === "UnexpectedKey") return unknownField(issue.issue.ast, path, issue.path.at(-1)!, reading)
      return read(issue.issue, [path, ...issue.path.map(segment)].join("."), reading)
    }
    case "Composite": {
      for (const one of issue.issues) {
        if (isFull(reading)) return
        read(one, path, reading)
      }
      return
    }
    case "Encoding":
      return read(issue.issue, path, reading)
    case "Filter":
      return issue.issue._tag === "InvalidValue"
        ? say(path, checkWords(issue, issue.issue), reading)
        : read(issue.issue, path, reading)
    case "AnyOf":
      return readAlternatives(issue, path, reading)
    case "MissingKey":
      return say(path, "is required", reading)
    case "InvalidType":
      return say(path, statedMessage(issue.ast) ?? `expected ${expectedType(issue.ast)}`, reading)
    case "InvalidValue":
      return say(path, textOf(issue.annotations, "message") ?? "expected a valid value", reading)
    default:
      return say(path, "expected a valid value", reading)
  }
}

const say = (path: string, message: string, { messages }: Reading): void => {
  if (!messages.has(path)) messages.set(path, message)
}

const segment = (key: PropertyKey): string => String(key).slice(0, NAME_LENGTH_MAX)

/**
 * No member of a union matches. If the value has the type of none, names all types; otherwise reports the issues of the
 * closest member.
 */
const readAlternatives = ({ ast, issues }: SchemaIssue.AnyOf, path: string, reading: Reading): void => {
  const stated = statedMessage(ast)
  if (stated !== undefined) return say(path, stated, reading)
  const inside = issues.filter((issue) => issue._tag !== "InvalidType" && !isEmptyChoice(issue))
  if (inside.length === 0) return say(path, `expected ${expectedType(ast)}`, reading)
  const found = inside.map((issue) => {
    const one: Reading = { messages: new Map(), unknownFields: 0 }
    read(issue, path, one)
    return one
  })
  const nearest = found.reduce((best, one) => (distance(one) < distance(best) ? one : best))
  for (const [where, message] of nearest.messages) say(where, message, reading)
  reading.unknownFields += nearest.unknownFields
}

const isEmptyChoice = (issue: SchemaIssue.Issue): boolean => issue._tag === "AnyOf" && issue.issues.length === 0

/** Unknown fields weigh more than other issues. */
const distance = ({ messages, unknownFields }: Reading): number => messages.size + 2 * unknownFields

const textOf = (annotations: object | undefined, name: string): string | undefined => {
  const text = (annotations as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof text === "string" ? text : undefined
}

/** The message of the schema for any mismatch. */
const statedMessage = (ast: SchemaAST.AST): string | undefined => textOf(ast.annotations, "message")

/** Messages for effect's checks, by their representation. */
const CHECK_WORDS: Readonly<Record<string, (bounds: Readonly<Record<string, unknown>>) => string>> = {
  isInt: () => "a whole number",
  isFinite: () => "a number",
  isBetween: ({ maximum, minimum }) => `a number from ${String(minimum)} to ${String(maximum)}`,
  isGreaterThanOrEqualTo: ({ minimum }) => `a number of at least ${String(minimum)}`,
  isMaxLength: ({ maxLength }) => `a length of at most ${String(maxLength)}`,
  isMaxProperties: ({ maxProperties }) => `at most ${String(maxProperties)} entries`,
  isBetweenLength: ({ maximum, minimum }) => `a length from ${String(minimum)} to ${String(maximum)}`,
}

interface Representation {
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>> | null
}

const checkWords = ({ filter }: SchemaIssue.Filter, { annotations }: SchemaIssue.InvalidValue): string => {
  const stated = textOf(filter.annotations, "message") ?? textOf(annotations, "message")
  if (stated !== undefined) return stated
  const representation = filter.annotations?.representation as Representation | undefined
  const words = CHECK_WORDS[representation?.id.split("/").at(-1) ?? ""]
  const expected = words?.(representation?.payload ?? {}) ?? textOf(filter.annotations, "expected")
  return `expected ${expected ?? "a valid value"}`
}

const unknownField = (ast: SchemaAST.AST, path: string, key: PropertyKey, reading: Reading): void => {
  reading.unknownFields++
  const issue = unknownName(path, String(key), knownNames(ast))
  say(issue.path, issue.message, reading)
}
