import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { NAME_LENGTH_MAX, suggestion } from "./NearestName.ts"

/** Unknown names that are named one by one; the others are counted. */
export const UNKNOWN_MAX = 20

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

/** What is said of a name that nobody reads: it must not look as if it had counted. */
export const unknownName = (path: string, name: string, { fixed, known, of }: KnownNames): InvalidIssue => {
  const what = WHAT[of ?? path] ?? "a field here"
  if (name === "") return { path, message: `an empty name is not ${what}` }
  if (name.length > NAME_LENGTH_MAX) return { path, message: `a name of ${name.length} characters is not ${what}` }
  const isFixed = fixed?.includes(name) === true
  const message = isFixed ? "cannot be set here" : `is not ${what}${suggestion(name, known)}`
  return { path: `${path}.${name}`, message }
}

/** What is said of the unknown names that are not named. */
export const furtherUnknown = (path: string, count: number): ReadonlyArray<InvalidIssue> =>
  count > UNKNOWN_MAX ? [{ path, message: `and ${count - UNKNOWN_MAX} more names that are not known` }] : []
