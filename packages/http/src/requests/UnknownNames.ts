import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { FIXED_FIELDS } from "@launch-registry/domain/http/FixedFields"
import { SchemaAST } from "effect"
import { NAME_LENGTH_MAX, suggestion } from "./NearestName.ts"

/** What names in a part of a request denote. */
const WHAT: Readonly<Record<string, string>> = {
  query: "a parameter of this endpoint",
  form: "a part of this form",
  file: "a file of this form",
}

/** Allowed names at some place of a request. */
export interface KnownNames {
  readonly known: ReadonlyArray<string>
  /** Read-only names. */
  readonly fixed?: ReadonlyArray<string> | undefined
  /** Overrides the part of the request that the path starts with. */
  readonly of?: "form" | "file"
}

/** Allowed names of an object, from its schema. */
export const knownNames = (ast: SchemaAST.AST): KnownNames => ({
  known: SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : [],
  fixed: SchemaAST.resolve(ast)?.[FIXED_FIELDS] as ReadonlyArray<string> | undefined,
})

/** The issue of an unknown or read-only name. Ignoring it would look as if it had taken effect. */
export const unknownName = (path: string, name: string, { fixed, known, of }: KnownNames): InvalidIssue => {
  const what = WHAT[of ?? path] ?? "a field here"
  if (name === "") return { path, message: `an empty name is not ${what}` }
  if (name.length > NAME_LENGTH_MAX) return { path, message: `a name of ${name.length} characters is not ${what}` }
  const isFixed = fixed?.includes(name) === true
  const message = isFixed ? "cannot be set here" : `is not ${what}${suggestion(name, known)}`
  return { path: `${path}.${name}`, message }
}
