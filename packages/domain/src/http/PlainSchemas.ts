import type { JsonSchema } from "./OpenApiOperation.ts"

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Keywords that hold values, which may look like schemas. */
const VALUES = new Set(["example", "examples", "default", "enum", "const"])

/** The keyword that holds schemas by the names of fields, which may be those of keywords. */
const FIELDS = "properties"

/** The document with every object in it rewritten, the outer ones first. */
export const rewritten = (
  value: unknown,
  rewrite: (object: JsonSchema) => JsonSchema,
  { areFields = false }: { readonly areFields?: boolean } = {},
): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rewrite))
  const object = areFields ? (value as JsonSchema) : rewrite(value as JsonSchema)
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(object))
    fields[name] =
      !areFields && VALUES.has(name)
        ? object[name]
        : rewritten(object[name], rewrite, { areFields: !areFields && name === FIELDS })
  return fields
}

/** Looks at every object in a document. */
export const eachObject = (
  value: unknown,
  look: (object: JsonSchema) => void,
  { areFields = false }: { readonly areFields?: boolean } = {},
): void => {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value) && !areFields) look(value as JsonSchema)
  for (const [name, field] of Object.entries(value))
    if (areFields || !VALUES.has(name)) eachObject(field, look, { areFields: !areFields && name === FIELDS })
}

/**
 * `allOf` that only adds words or bounds to the schema it stands in, written as one schema: effect makes a part of its own of whatever
 * was annotated on a field, and generators read descriptions and defaults only where the type is. The description of the field
 * wins over that of its type.
 */
const joined = (object: JsonSchema): JsonSchema => {
  if (!Array.isArray(object.allOf)) return object
  const { allOf, ...schema } = object
  const whole: Record<string, unknown> = { ...schema }
  const rest: Array<JsonSchema> = []
  for (const part of allOf as ReadonlyArray<JsonSchema>) {
    const { description, ...keywords } = part
    const isApart = Object.keys(keywords).some((keyword) => keyword in whole)
    if (isApart) rest.push(keywords)
    Object.assign(whole, isApart ? {} : keywords, description === undefined ? {} : { description })
  }
  return Object.assign(whole, rest.length === 0 ? {} : { allOf: rest })
}

/** A text that holds JSON is described as what it holds: a number of a query, the data of an event. */
const unwrapped = (schema: JsonSchema): JsonSchema =>
  isRecord(schema.contentSchema)
    ? { ...schema.contentSchema, ...(schema.description === undefined ? {} : { description: schema.description }) }
    : schema

/** What every whole number of JavaScript is within says nothing. */
const withoutSafeBounds = ({ maximum, minimum, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
})

/** An object of which nothing is known is open: without a word, generators take it for an empty one. */
const declaredOpen = (schema: JsonSchema): JsonSchema =>
  schema.type === "object" && schema.properties === undefined && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: true }
    : schema

/** A schema in the form that generators of clients read. */
export const plainSchema = (object: JsonSchema): JsonSchema => {
  const schema = unwrapped(joined(object))
  if (schema.type === "integer") return withoutSafeBounds(schema)
  return declaredOpen(schema)
}
