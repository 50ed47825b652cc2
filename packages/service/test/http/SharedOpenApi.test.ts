import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { openApiText } from "../../fixtures/OpenApiExamples.ts"
import { document, type Json, operations, type Schema } from "./ContractDocument.ts"

type Served = Readonly<Record<string, Readonly<Record<string, Json>>>>

const served = JSON.parse(openApiText) as { readonly paths: Served; readonly components: Served }
const find = (ref: unknown): Json => {
  const [kind = "", name = ""] = String(ref).split("/").slice(2)
  return served.components[kind]![name]!
}

/** A schema with the fields of those that it extends. */
const whole = (schema: Schema): Schema => {
  const { allOf: [base] = [], properties: own = {}, required = [], ...rest } = schema
  if (base?.$ref === undefined) return schema
  const inherited = whole(find(base.$ref) as Schema)
  const merged = Object.entries(own).map(([name, field]) => [name, { ...inherited.properties?.[name], ...field }])
  return {
    ...rest,
    properties: { ...inherited.properties, ...Object.fromEntries(merged) },
    required: [...new Set([...(inherited.required ?? []), ...required])],
  }
}

/** The value as it was before: with what is referenced, the fields of bases, no examples, and lists of names in one order. */
const resolved = (value: unknown, key = ""): unknown => {
  if (Array.isArray(value)) return (key === "required" ? value.toSorted() : value).map((item) => resolved(item))
  if (typeof value !== "object" || value === null) return value
  const { examples: _, ...object } = value as Json
  if (typeof object.$ref === "string" && !object.$ref.startsWith("#/components/schemas/"))
    return resolved(find(object.$ref))
  const { headers, ...rest }: Json = "allOf" in object ? whole(object as Schema) : object
  const own = Object.entries((headers ?? {}) as Json).filter(
    ([name]) => !/^(x-request-id|ratelimit(-policy)?)$/.test(name),
  )
  const fields = Object.entries(own.length === 0 ? rest : { ...rest, headers: Object.fromEntries(own) })
  return Object.fromEntries(fields.map(([name, field]) => [name, resolved(field, name)]))
}

const membersOf = (response: unknown): ReadonlyArray<unknown> => {
  const { schema } = (response as { content: Readonly<Record<string, { schema: Schema }>> }).content[
    "application/json"
  ]!
  return (schema.oneOf ?? [schema]).map(({ $ref }) => $ref)
}

describe("The served OpenAPI document", () => {
  it("is valid OpenAPI 3.1, and within its size", async () => {
    const { errors, valid } = await new Validator().validate(structuredClone(served))
    assert.deepStrictEqual({ errors, valid }, { errors: undefined, valid: true })
    assert.isBelow(openApiText.length, 630_000)
    assert.isBelow(JSON.stringify(served).length, 505_000)
  })

  it("says of each operation what is declared: at its statuses, or as its default", () => {
    let [shared, defaults] = [0, 0]
    for (const { method, path, shown, ...declared } of operations) {
      const operation = served.paths[path]![method] as { readonly responses: Json; readonly parameters?: unknown }
      assert.deepStrictEqual(resolved(operation.parameters ?? []), resolved(declared.parameters), shown)
      const { default: general, ...responses } = operation.responses
      const members = general === undefined ? [] : membersOf(resolved(general))
      const statuses = new Set(Object.keys(responses))
      for (const [status, response] of Object.entries(declared.responses)) {
        if (statuses.delete(status)) {
          assert.deepStrictEqual(resolved(responses[status]), resolved(response), `${shown} ${status}`)
          shared += 1
          continue
        }
        assert.includeMembers([...members], [...membersOf(response)], `${shown} ${status}`)
        // In either order.
        const [, said = ""] =
          new RegExp(`${status}: ([^;]*)`).exec(String((resolved(general) as Json).description)) ?? []
        assert.sameMembers(said.split(", "), response.description.split(", "), `${shown} ${status}`)
        defaults += 1
      }
      assert.deepStrictEqual([...statuses], [], shown)
      const all = Object.values(declared.responses).flatMap((response) =>
        response.content?.["application/json"] ? membersOf(response) : [],
      )
      assert.includeMembers(all, [...members], `${shown} may answer all of its default`)
    }
    assert.isTrue(shared > 200 && defaults > 200)
  })

  it("has the schemas that are declared", () => {
    for (const [name, schema] of Object.entries(document.components.schemas))
      assert.deepStrictEqual(resolved(served.components.schemas![name]), resolved(schema), name)
  })

  it("names nothing that is not used", () => {
    const used = new Set(Array.from(openApiText.matchAll(/"#\/components\/([^"]+)"/g), ([, name]) => name))
    const unused = Object.entries(served.components).flatMap(([kind, named]) =>
      kind === "securitySchemes" ? [] : Object.keys(named).filter((name) => !used.has(`${kind}/${name}`)),
    )
    assert.deepStrictEqual(unused, [])
  })
})
