import { assert, describe, it } from "@effect/vitest"
import { eachObject, rewritten } from "../src/http/PlainSchemas.ts"

/** Fields with the names of keywords, and values that look like schemas. */
const schema = {
  type: "object",
  properties: {
    default: { type: "integer" },
    enum: { type: "object", properties: { const: { type: "integer" } } },
    properties: { type: "object", default: { type: "integer" }, examples: [{ type: "integer" }] },
    type: { type: "integer" },
  },
}

describe("A walk through schemas", () => {
  it("visits every field, whatever its name is, and no value", () => {
    const seen: Array<unknown> = []
    eachObject(schema, ({ type }) => seen.push(type))
    assert.deepStrictEqual(seen, ["object", "integer", "object", "integer", "object", "integer"])
  })

  it("rewrites each field, whatever its name is, and no value", () => {
    const { properties } = schema
    assert.deepStrictEqual<unknown>(
      rewritten(schema, (object) => (object.type === "integer" ? { type: "number" } : object)),
      {
        ...schema,
        properties: {
          default: { type: "number" },
          enum: { type: "object", properties: { const: { type: "number" } } },
          properties: properties.properties,
          type: { type: "number" },
        },
      },
    )
  })
})
