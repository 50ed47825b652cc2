import { Result, Schema } from "effect"
import { CHANGE_TYPES, ChainChange } from "./ChainChange.ts"

/**
 * A change that this version cannot read: of a type from a later version, or malformed. It keeps its index in the
 * commit, because event ids contain that index.
 */
export class UnreadableChange {
  /** Short description for logs. */
  readonly what: string

  constructor(what: string) {
    this.what = what
  }
}

export const isReadable = (change: ChainChange | UnreadableChange): change is ChainChange =>
  !(change instanceof UnreadableChange)

/** Text of a commit (`index_changes.changes`). */
export const encodeChanges = (changes: ReadonlyArray<ChainChange>): string => JSON.stringify(changes)

/** Drops fields added by later versions. Addresses were validated when they were written. */
const decode = Schema.decodeUnknownResult(ChainChange, { disableChecks: true })

/** Decodes the changes of a commit. Never throws: an undecodable change becomes an {@link UnreadableChange}. */
export const decodeChanges = (text: string): ReadonlyArray<ChainChange | UnreadableChange> => {
  const list = listOf(text)
  if (list === undefined) return [new UnreadableChange("no list of changes")]
  const canHoldNul = text.includes("\\u0000")
  return list.map((value) => {
    if (typeof value !== "object" || (canHoldNul && holdsNul(value))) return new UnreadableChange(whatOf(value))
    return Result.getOrElse(decode(value), () => new UnreadableChange(whatOf(value)))
  })
}

/** PostgreSQL text cannot contain U+0000: a statement with such an address would fail on every attempt. */
const holdsNul = (value: object | null): boolean =>
  Object.values(value ?? {})
    .flat()
    .some((text) => typeof text === "string" && text.includes("\0"))

const listOf = (text: string): ReadonlyArray<unknown> | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const TYPE_LENGTH_MAX = 40

const whatOf = (value: unknown): string => {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined
  if (typeof type !== "string") return "a change without a type"
  return CHANGE_TYPES.some((known) => known === type)
    ? `a malformed change of type ${type}`
    : `a change of the unknown type ${JSON.stringify(type.slice(0, TYPE_LENGTH_MAX))}`
}
