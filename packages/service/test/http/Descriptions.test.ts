import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { openApiText } from "../../fixtures/OpenApiExamples.ts"
import { document, nameIn, type Operation, operations, type Schema, schemas } from "./ContractDocument.ts"

const OPERATION_LENGTH_MAX = 600

/** The description of a schema where it is used: its own, the one next to a reference, or that of the component. */
const wordsOf = (schema: Schema): string | undefined => {
  const own =
    schema.description ?? schema.allOf?.find(({ $ref, description }) => $ref === undefined && description)?.description
  if (own !== undefined) return own
  if (schema.$ref !== undefined) return schemas[nameIn(schema)]?.description
  return schema.allOf?.map(wordsOf).find((words) => words !== undefined)
}

/** Every property in a schema, at any depth, by path. References are described in the components. */
const propertiesIn = (schema: Schema, path: string): ReadonlyArray<readonly [path: string, schema: Schema]> => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    [`${path}.${name}`, property] as const,
    ...propertiesIn(property, `${path}.${name}`),
  ]),
  ...[
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.prefixItems ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
  ].flatMap((inner) => propertiesIn(inner, path)),
]

const contentsOf = ({ requestBody, responses }: Operation) =>
  [requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}).map(({ schema }) => schema),
  )

const properties = [
  ...Object.entries(schemas).flatMap(([name, schema]) => propertiesIn(schema, name)),
  ...operations.flatMap((operation) =>
    contentsOf(operation).flatMap((schema) => propertiesIn(schema, operation.shown)),
  ),
]

const parameters = operations.flatMap(({ parameters, shown }) =>
  parameters.map((parameter) => [`${shown} ?${parameter.name}`, parameter] as const),
)

const said: ReadonlyArray<readonly [path: string, words: string | undefined]> = [
  ...properties.map(([path, schema]) => [path, wordsOf(schema)] as const),
  ...parameters.map(([path, { description, schema }]) => [path, description ?? wordsOf(schema)] as const),
]

describe("The documentation", () => {
  it("is committed as it is served: run `pnpm generate` and review the diff", () => {
    const committed = readFileSync(new URL("../../../../openapi.json", import.meta.url), "utf8")
    assert.strictEqual(openApiText, committed)
  })

  it("describes every property and every parameter", () => {
    assert.isAbove(properties.length, 900)
    assert.isAbove(parameters.length, 80)
    const silent = said.filter(([, words]) => words === undefined || words.trim() === "").map(([path]) => path)
    assert.deepStrictEqual(silent, [])
  })

  it("describes every operation and every tag", () => {
    for (const { description, shown: name, summary } of operations) {
      assert.isNotEmpty(summary, name)
      assert.notStrictEqual(description, summary, `${name}: the description only repeats the summary`)
      assert.isAtMost(description?.length ?? 0, OPERATION_LENGTH_MAX, name)
    }
    for (const { description, name } of document.tags) assert.isAbove(description?.length ?? 0, 20, name)
    assert.include(document.info.description ?? "", "POST /api/launch/dbc-config")
  })
})
