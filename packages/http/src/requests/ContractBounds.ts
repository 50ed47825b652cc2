import { type InvalidIssue, ISSUES_MAX } from "@launch-registry/domain/http/ErrorEnvelope"
import { SchemaAST } from "effect"
import { firstIssues } from "./BoundedIssues.ts"
import { knownNames, unknownName } from "./UnknownNames.ts"

/** Violations found so far. */
interface Found {
  readonly issues: Array<InvalidIssue>
  unknownFields: number
  isCut: boolean
}

/** Checks a value against the bounds of a schema. */
type Look = (value: unknown, path: string, found: Found) => void

const lookOf = new WeakMap<SchemaAST.AST, Look>()

/**
 * Arrays and objects of a JSON value that exceed the bounds of their schema, in items or unknown fields. Runs before
 * decoding, which visits every item and keeps an issue for each: this bounds its cost.
 */
export const boundsFaults = (part: string, ast: SchemaAST.AST, value: unknown): ReadonlyArray<InvalidIssue> => {
  const found: Found = { issues: [], unknownFields: 0, isCut: false }
  looker(ast)(value, part, found)
  return found.isCut ? firstIssues(part, found.issues) : found.issues
}

const looker = (declared: SchemaAST.AST): Look => {
  const known = lookOf.get(declared)
  if (known !== undefined) return known
  const look = makeLook(SchemaAST.toEncoded(declared))
  lookOf.set(declared, look)
  return look
}

const nothing: Look = () => {}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const makeLook = (ast: SchemaAST.AST): Look => {
  if (SchemaAST.isArrays(ast)) return lookAtItems(ast)
  if (SchemaAST.isObjects(ast))
    return ast.indexSignatures.length > 0
      ? lookAtEntries(ast)
      : ast.propertySignatures.length > 0
        ? lookAtFields(ast)
        : nothing
  if (!SchemaAST.isUnion(ast)) return nothing
  const arrays = ast.types.filter(SchemaAST.isArrays)
  const objects = ast.types.filter(SchemaAST.isObjects)
  // An ambiguous union is left to decoding.
  const lookAtArray = arrays.length === 1 ? looker(arrays[0]!) : nothing
  const lookAtObject = objects.length === 1 ? looker(objects[0]!) : nothing
  if (lookAtArray === nothing && lookAtObject === nothing) return nothing
  return (value, path, found) => (Array.isArray(value) ? lookAtArray : lookAtObject)(value, path, found)
}

const lookAtItems = (ast: SchemaAST.Arrays): Look => {
  const most = boundOf(ast, "isMaxLength", "maxLength")
  const [item] = ast.rest
  const lookAtItem = item === undefined ? nothing : looker(item)
  return (value, path, found) => {
    if (!Array.isArray(value)) return
    if (value.length > most) return say(found, { path, message: `expected at most ${most} items` })
    if (lookAtItem === nothing) return
    for (let at = 0; at < value.length && !found.isCut; at++) lookAtItem(value[at], `${path}.${at}`, found)
  }
}

const lookAtEntries = (ast: SchemaAST.Objects): Look => {
  const most = boundOf(ast, "isMaxProperties", "maxProperties")
  return (value, path, found) => {
    if (isRecord(value) && Object.keys(value).length > most)
      say(found, { path, message: `expected at most ${most} entries` })
  }
}

const lookAtFields = (ast: SchemaAST.Objects): Look => {
  const fields = ast.propertySignatures.map(({ name, type }) => ({ name: String(name), look: looker(type) }))
  const known = new Set(fields.map(({ name }) => name))
  const nested = fields.filter(({ look }) => look !== nothing)
  return (value, path, found) => {
    if (!isRecord(value)) return
    const unknown = Object.keys(value).filter((name) => !known.has(name))
    found.unknownFields += unknown.length
    if (found.unknownFields > ISSUES_MAX) {
      const names = knownNames(ast)
      for (const name of unknown.slice(0, ISSUES_MAX)) say(found, unknownName(path, name, names))
      found.isCut = true
      return
    }
    for (const { look, name } of nested) {
      if (found.isCut) return
      look(value[name], `${path}.${name}`, found)
    }
  }
}

const say = (found: Found, issue: InvalidIssue): void => {
  if (found.issues.length === ISSUES_MAX) found.isCut = true
  else found.issues.push(issue)
}

/** The bound of a check of `ast`; effect identifies its checks by their representation. */
const boundOf = (ast: SchemaAST.AST, check: string, bound: string): number =>
  (ast.checks ?? []).reduce((least, { annotations }) => {
    const { id, payload } = (annotations?.representation ?? {}) as { readonly id?: string; readonly payload?: object }
    const most = (payload as Readonly<Record<string, unknown>> | undefined)?.[bound]
    return id?.endsWith(`/${check}`) === true && typeof most === "number" ? Math.min(least, most) : least
  }, Number.POSITIVE_INFINITY)
