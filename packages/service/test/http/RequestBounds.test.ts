import { assert, describe, it } from "@effect/vitest"
import { WEBHOOK_PATH } from "@launch-registry/domain/webhooks/WebhookPath"
import { nameIn, operations, type Schema, schemas } from "./ContractDocument.ts"

const resolved = (schema: Schema): Schema => (schema.$ref === undefined ? schema : resolved(schemas[nameIn(schema)]!))

type Bound = "maxLength" | "maxItems" | "maxProperties"

const has = (schema: Schema, bound: Bound): boolean =>
  schema[bound] !== undefined || (schema.allOf ?? []).some((one) => has(resolved(one), bound))

/** Unbounded places below `schema`. */
const unbounded = (reference: Schema, path: string): ReadonlyArray<string> => {
  const schema = resolved(reference)
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  // An annotated reference is wrapped in `allOf`.
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
  it("bounds every string, array and object of a request", () => {
    const places: Array<string> = []
    let looked = 0
    for (const { parameters, path, requestBody, shown } of operations) {
      for (const parameter of parameters) {
        places.push(...unbounded(parameter.schema, `${shown} ${parameter.in}.${parameter.name}`))
        looked++
      }
      for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
        // Forms and deliveries are bounded in bytes.
        if (type === "multipart/form-data" || path === WEBHOOK_PATH) continue
        places.push(...unbounded(schema, `${shown} body`))
        looked++
      }
    }
    assert.isAbove(looked, 80)
    assert.deepStrictEqual(places, [])
  })
})
