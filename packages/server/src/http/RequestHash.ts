import { createHash } from "node:crypto"

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

/**
 * The same for the same request: whatever the order of its fields and the white space between them. `content` is what was
 * read of the body. Amounts are there as they were written, so 1 and 1.0 of an amount are two requests.
 */
export const requestHash = (url: string, content: unknown): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([url, sorted(content)]))
    .digest()
