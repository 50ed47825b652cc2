import { assert, describe, it } from "@effect/vitest"
import { Contract } from "@launch-registry/domain/Contract"
import { eachObject } from "@launch-registry/domain/http/PlainSchemas"
import { SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { type Json, nameIn, operationOf, operations, reached, schemas } from "./ContractDocument.ts"

/** Every schema, with its place. */
const everySchema: ReadonlyArray<readonly [where: string, schema: Json]> = [
  ...Object.entries(schemas),
  ...operations.flatMap(({ parameters, requestBody, responses, shown }) => [
    ...parameters.map(({ name, schema }) => [`${shown} ${name}`, schema] as const),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => [`${shown} body`, schema] as const),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).map(({ schema }) => [`${shown} ${status}`, schema] as const),
    ),
  ]),
]

/** Schemas, at any depth, that violate a rule. */
const schemasThat = (isWrong: (schema: Json) => boolean): ReadonlyArray<string> =>
  everySchema.flatMap(([where, schema]) => {
    const wrong: Array<string> = []
    eachObject(schema, (object) => {
      if (isWrong(object)) wrong.push(`${where}: ${JSON.stringify(object).slice(0, 200)}`)
    })
    return wrong
  })

/** A schema without any content. */
const saysNothing = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).every((keyword) => keyword === "description" || keyword === "examples")

const endpoints = Object.values(Contract.groups).flatMap((group) =>
  Object.values(group.endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>).map((endpoint) => ({
    operationId: `${group.identifier}.${endpoint.identifier}`,
    endpoint,
  })),
)

describe("The OpenAPI document", () => {
  it("declares numbers of a query as bounded integers, and flags as booleans", () => {
    const wrong: Array<string> = []
    const seen = { numbers: 0, booleans: 0 }
    for (const { endpoint, operationId } of endpoints) {
      const query = endpoint.query?.ast
      if (query === undefined || !SchemaAST.isObjects(query)) continue
      for (const { name, type } of query.propertySignatures) {
        const { schema } = operationOf(operationId).parameters.find((parameter) => parameter.name === name)!
        const encoded = SchemaAST.toEncoded(type)
        const literals = SchemaAST.isUnion(encoded)
          ? encoded.types.map((one) => SchemaAST.isLiteral(one) && one.literal)
          : []
        if (SchemaAST.isNumber(SchemaAST.toType(type))) {
          seen.numbers++
          const { maximum, minimum } = schema
          if (schema.type !== "integer" || typeof minimum !== "number" || typeof maximum !== "number")
            wrong.push(`${operationId} ${String(name)}`)
          const isWithin = schema.default === undefined || (schema.default as number) <= (maximum as number)
          if (!isWithin) wrong.push(`${operationId} ${String(name)} default`)
        }
        if (literals.length === 2 && literals.includes("true") && literals.includes("false")) {
          seen.booleans++
          if (schema.type !== "boolean") wrong.push(`${operationId} ${String(name)}`)
        }
      }
    }
    assert.deepStrictEqual(wrong, [])
    assert.isTrue(seen.numbers > 10 && seen.booleans > 2)
  })

  it("declares numbers as numbers, and has no empty schema", () => {
    assert.deepStrictEqual(
      schemasThat((schema) => Array.isArray(schema.enum) && schema.enum.includes("NaN")),
      [],
    )
    const places = ["items", "additionalProperties", "schema"]
    assert.deepStrictEqual(
      schemasThat(
        (schema) =>
          places.some((place) => saysNothing(schema[place])) ||
          Object.values((schema.properties ?? {}) as Json).some(saysNothing) ||
          ["anyOf", "oneOf", "allOf"].some((place) => ((schema[place] ?? []) as ReadonlyArray<Json>).some(saysNothing)),
      ),
      [],
    )
    assert.deepStrictEqual(
      everySchema.filter(([, schema]) => saysNothing(schema)),
      [],
    )
    const isSilent = ({ additionalProperties, properties, type }: Json) =>
      type === "object" && properties === undefined && additionalProperties === undefined
    assert.deepStrictEqual(schemasThat(isSilent), [], "an open object says so")
  })

  it("has a valid name for each schema, and each schema once", () => {
    const names = Object.keys(schemas)
    assert.deepStrictEqual(
      names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name) || name.endsWith("Encoded")),
      [],
    )
    const byForm = Map.groupBy(names, (name) => {
      const { description: _, examples: _e, ...form } = schemas[name]!
      return form.type === "object" || form.enum !== undefined ? JSON.stringify(form) : name
    })
    assert.deepStrictEqual(
      [...byForm.values()].filter((same) => same.length > 1),
      [],
    )
  })

  it("closes request objects, opens response objects, and shares none between them", () => {
    const sent = reached(operations.flatMap(({ parameters, requestBody }) => [parameters, requestBody]))
    const answered = reached(operations.map(({ responses }) => responses))
    const both = [...sent].filter((name) => answered.has(name) && schemas[name]!.properties !== undefined)
    assert.deepStrictEqual(both, [])
    assert.isTrue(sent.has("TokenDraft") && answered.has("TokenDetails"))
    const isOpen = (name: string) => {
      const found: Array<boolean> = []
      eachObject(schemas[name], ({ additionalProperties, type }) => {
        if (type === "object") found.push(additionalProperties !== false)
      })
      return found
    }
    const wrong = Object.keys(schemas).filter(
      (name) => schemas[name]!.properties !== undefined && isOpen(name).some((open) => open !== answered.has(name)),
    )
    assert.sameMembers(wrong, ["ConfigKeypair", "MintKeypair"], "keys are also taken as objects of bytes")
  })

  it("has a discriminator in every union of objects except lists", () => {
    const untagged = schemasThat(({ anyOf }) => {
      const objects = ((anyOf ?? []) as ReadonlyArray<Json>).filter(
        (member) => schemas[nameIn(member)]?.properties !== undefined,
      )
      return objects.length > 1
    })
    assert.strictEqual(untagged.length, 1, untagged.join("\n"))
    assert.match(untagged[0]!, /^get \/api\/tokens\/holders\/\{mintAddress\} 200: .*HolderAddresses.*HolderBalances/)
    const { discriminator } = schemas.StreamEvent as {
      readonly discriminator: { readonly propertyName: string; readonly mapping: Json }
    }
    assert.strictEqual(discriminator.propertyName, "event")
    assert.strictEqual(discriminator.mapping.trade, "#/components/schemas/TradeSeenEvent")
    assert.deepInclude((schemas.TradeSeenEvent!.properties as Readonly<Record<string, Json>>).data, {
      $ref: "#/components/schemas/TradeSeen",
    })
  })
})
