import type { Random } from "../Random.ts"
import type { KnownValues } from "./KnownValues.ts"
import { type JsonSchema, type OpenApiDocument, resolved } from "./OpenApi.ts"

export interface SampleContext {
  readonly document: OpenApiDocument
  readonly random: Random
  readonly known: KnownValues
  readonly subject: string
}

const DEPTH_MAX = 8
const NUMBERS = [0, 1, 2, 6, 9, 10, 100, 1_000, 50_000, 1_000_000]
const TEXTS = ["1000", "Name", "0.5", "a", "https://example.com/a.png", "2026-11-21T09:30:00.000Z", "token"]
/** Values by field name, where the schema only says that it is text. */
const BY_NAME: ReadonlyArray<readonly [name: RegExp, texts: ReadonlyArray<string>]> = [
  [/date$|^from$|^to$/i, ["2026-11-21", "2026-11-21T09:30:00.000Z", "2020-01-01"]],
  [/^types$/, ["token", "trade,pool"]],
  [/^range$/, ["bytes=0-3", "bytes=-1", "bytes=9999999-"]],
  [/^chain$/, ["solana", "SOLANA"]],
]

/** One of a list. */
export const oneOf = <A>(random: Random, values: ReadonlyArray<A>): A => values[random(values.length)]!

/** A value that may match a schema: of the right shape, and with existing values for known names. */
export const sampleOf = (context: SampleContext, declared: JsonSchema, name = "", depth = 0): unknown => {
  const { document, known, random, subject } = context
  const schema = resolved(document, declared)
  if (schema.enum !== undefined) return oneOf(random, schema.enum)
  const found = random(4) > 0 ? known.find(subject, name) : undefined
  const forms = schema.anyOf ?? schema.oneOf
  if (forms !== undefined) return sampleOf(context, oneOf(random, forms), name, depth)
  switch (schema.type) {
    case "object": {
      const required = new Set(schema.required)
      const properties = Object.entries(schema.properties ?? {}).filter(
        ([property]) => required.has(property) || (depth < DEPTH_MAX && random(2) === 0),
      )
      return Object.fromEntries(
        properties.map(([property, inner]) => [property, sampleOf(context, inner, property, depth + 1)]),
      )
    }
    case "array": {
      const length = (schema.minItems ?? 0) + random(3)
      return Array.from({ length }, () => sampleOf(context, schema.items ?? {}, name, depth + 1))
    }
    case "boolean":
      return random(2) === 0
    case "number":
    case "integer":
      return Math.min(schema.maximum ?? Infinity, Math.max(schema.minimum ?? -Infinity, oneOf(random, NUMBERS)))
    case "null":
      return null
    default:
      if (typeof found === "string") return found
      return oneOf(random, BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? TEXTS)
  }
}
