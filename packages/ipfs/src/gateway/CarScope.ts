import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"

/** Which blocks of a file a CAR holds (IPIP-402); for a file, `all` and `entity` are the same. */
export interface CarScope {
  readonly scope: "block" | "entity" | "all"
  readonly bytes: EntityBytes | undefined
}

/** First and last byte, inclusive; negative numbers count from the end. Without `to`, up to the end. */
interface EntityBytes {
  readonly from: number
  readonly to: number | undefined
}

/** The scope in a query, or what is invalid in it. */
export const carScopeOf = (query: URLSearchParams): CarScope | { readonly issues: ReadonlyArray<InvalidIssue> } => {
  const scope = query.get("dag-scope") ?? "all"
  const text = query.get("entity-bytes")
  const bytes = text === null ? undefined : entityBytesOf(text)
  const issues: Array<InvalidIssue> = []
  if (scope !== "block" && scope !== "entity" && scope !== "all")
    issues.push({ path: "query.dag-scope", message: "expected block, entity or all" })
  else if (text === null || bytes !== undefined)
    return bytes === undefined ? { scope, bytes } : { scope: "entity", bytes }
  if (text !== null && bytes === undefined) issues.push({ path: "query.entity-bytes", message: EXPECTED_BYTES })
  return { issues }
}

const EXPECTED_BYTES = "expected from:to, whole numbers that may count from the end as -1, or * for the end"

const entityBytesOf = (text: string): EntityBytes | undefined => {
  const match = /^(-?\d{1,15}):(-?\d{1,15}|\*)$/.exec(text)
  if (match === null) return undefined
  const from = Number(match[1])
  if (match[2] === "*") return { from, to: undefined }
  const to = Number(match[2])
  const countsAlike = Object.is(Math.sign(from) === -1, Math.sign(to) === -1)
  return countsAlike && to < from ? undefined : { from, to }
}

/**
 * The wanted bytes, clamped to the file; none for the root block alone, `outside` if they start after the end.
 */
export const wantedBytesOf = ({ bytes, scope }: CarScope, sizeBytes: number) => {
  if (scope === "block" || sizeBytes === 0) return { start: 0, end: 0 }
  if (bytes === undefined) return { start: 0, end: sizeBytes }
  if (bytes.from >= sizeBytes) return "outside"
  const start = bytes.from < 0 ? Math.max(sizeBytes + bytes.from, 0) : bytes.from
  const last = bytes.to === undefined ? sizeBytes - 1 : bytes.to < 0 ? sizeBytes + bytes.to : bytes.to
  const end = Math.min(last + 1, sizeBytes)
  return end > start ? { start, end } : { start: 0, end: 0 }
}

/** The ETag of a CAR: each scope and range of a file has its own. */
export const carEtag = (key: string, { bytes, scope }: CarScope, dups: boolean): string => {
  const range = bytes === undefined ? "" : `.${bytes.from}:${bytes.to ?? "*"}`
  // Weak: another release may order the same blocks differently.
  return `W/"${scope}${range}.${key}.car.${dups ? "dups" : "once"}"`
}
