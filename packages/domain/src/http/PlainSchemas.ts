import type { JsonSchema } from "./OpenApiOperation.ts"

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Keywords whose values are data, even if they look like schemas. */
const VALUES = new Set(["example", "examples", "default", "enum", "const"])

/** The keyword whose value maps field names, which may equal keywords, to schemas. */
const FIELDS = "properties"

/** Rewrites every object of a document, outer ones first. */
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

/** Visits every object of a document. */
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
 * Merges an `allOf` that only adds a description or bounds: effect generates one for annotated fields, and client
 * generators read descriptions and defaults only next to the type. The description of the field wins over that of its
 * type.
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

/** Replaces a string that encodes JSON (a number in a query, the data of an event) by the schema of its content. */
const unwrapped = (schema: JsonSchema): JsonSchema =>
  isRecord(schema.contentSchema)
    ? { ...schema.contentSchema, ...(schema.description === undefined ? {} : { description: schema.description }) }
    : schema

/** Drops bounds that are those of safe integers. */
const withoutSafeBounds = ({ maximum, minimum, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
})

/** Marks an object without declared properties as open; generators would take it for an empty one. */
const declaredOpen = (schema: JsonSchema): JsonSchema =>
  schema.type === "object" && schema.properties === undefined && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: true }
    : schema

/** A schema in the form that client generators read. */
export const plainSchema = (object: JsonSchema): JsonSchema => {
  const schema = unwrapped(joined(object))
  if (schema.type === "integer") return withoutSafeBounds(schema)
  return declaredOpen(schema)
}
