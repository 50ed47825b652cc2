import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { FIXED_FIELDS } from "@launch-registry/domain/http/FixedFields"
import { SchemaAST } from "effect"
import { NAME_LENGTH_MAX, suggestion } from "./NearestName.ts"

/** What the names of a part of a request are names of. */
const WHAT: Readonly<Record<string, string>> = { query: "a parameter of this endpoint", form: "a part of this form" }

/** The names that a place in a request may have. */
export interface KnownNames {
  readonly known: ReadonlyArray<string>
  /** Names that exist and cannot be set. */
  readonly fixed?: ReadonlyArray<string> | undefined
  /** What the names are of, when they are not of the part that the path begins with. */
  readonly of?: "form"
}

/** The names that an object may have by its schema. */
export const knownNames = (ast: SchemaAST.AST): KnownNames => ({
  known: SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : [],
  fixed: SchemaAST.resolve(ast)?.[FIXED_FIELDS] as ReadonlyArray<string> | undefined,
})

/** What is said of a name that nobody reads: it must not look as if it had counted. */
export const unknownName = (path: string, name: string, { fixed, known, of }: KnownNames): InvalidIssue => {
  const what = WHAT[of ?? path] ?? "a field here"
  if (name === "") return { path, message: `an empty name is not ${what}` }
  if (name.length > NAME_LENGTH_MAX) return { path, message: `a name of ${name.length} characters is not ${what}` }
  const isFixed = fixed?.includes(name) === true
  const message = isFixed ? "cannot be set here" : `is not ${what}${suggestion(name, known)}`
  return { path: `${path}.${name}`, message }
}
