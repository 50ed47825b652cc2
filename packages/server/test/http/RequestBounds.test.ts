import { assert, describe, it } from "@effect/vitest"
import { openApiText } from "../../fixtures/OpenApiExamples.ts"

/** JSON Schema as far as it is looked at. */
interface Declared {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: Declared
  readonly properties?: Readonly<Record<string, Declared>>
  readonly additionalProperties?: unknown
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly anyOf?: ReadonlyArray<Declared>
  readonly oneOf?: ReadonlyArray<Declared>
  readonly allOf?: ReadonlyArray<Declared>
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema: Declared }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Declared }>> }
}

const contract = JSON.parse(openApiText) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Declared>> }
}

const resolved = (schema: Declared): Declared =>
  schema.$ref === undefined ? schema : resolved(contract.components.schemas[schema.$ref.split("/").at(-1)!]!)

type Bound = "maxLength" | "maxItems" | "maxProperties"

const has = (schema: Declared, bound: Bound): boolean =>
  schema[bound] !== undefined || (schema.allOf ?? []).some((one) => has(resolved(one), bound))

/** Places below `schema` that may hold as much as somebody sends. */
const unbounded = (reference: Declared, path: string): ReadonlyArray<string> => {
  const schema = resolved(reference)
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  // What is only there to be annotated has its schema in the first part.
  const parts = schema.type === undefined ? [...forms, ...(schema.allOf ?? []).filter((part) => part.$ref)] : forms
  const below = parts.flatMap((part) => unbounded(part, path))
  if (schema.enum !== undefined) return below
  if (schema.type === "boolean" || schema.type === "integer") return below
  if (schema.type === "string") return has(schema, "maxLength") || schema.format === "binary" ? below : [...below, path]
  if (schema.type === "array")
    return [...below, ...(has(schema, "maxItems") ? [] : [path]), ...unbounded(schema.items ?? {}, `${path}.0`)]
  if (schema.type !== "object") return below
  const isClosed = schema.additionalProperties === false || has(schema, "maxProperties")
  const fields = Object.entries(schema.properties ?? {})
  return [
    ...below,
    ...(isClosed ? [] : [path]),
    ...fields.flatMap(([name, field]) => unbounded(field, `${path}.${name}`)),
  ]
}

describe("The contract", () => {
  it("bounds every text, list and object that a request may bring", () => {
    const places: Array<string> = []
    let looked = 0
    for (const [path, operations] of Object.entries(contract.paths)) {
      for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
        for (const parameter of parameters) {
          places.push(...unbounded(parameter.schema, `${method} ${path} ${parameter.in}.${parameter.name}`))
          looked++
        }
        for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
          // Forms and deliveries are bounded by their bytes.
          if (type === "multipart/form-data" || path === "/api/webhooks/helius") continue
          places.push(...unbounded(schema, `${method} ${path} body`))
          looked++
        }
      }
    }
    assert.isAbove(looked, 80)
    assert.deepStrictEqual(places, [])
  })
})
