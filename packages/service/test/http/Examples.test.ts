import { Api } from "@launch-registry/domain/Api"
import { SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { RECORDED } from "../../fixtures/OpenApiExamples.ts"
import { type Content, document, operations } from "./ContractDocument.ts"

/** Content without an example: images and blocks. */
const isText = (mediaType: string): boolean => /^(text\/.*|application\/json)$/.test(mediaType)

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema(document as object, "openapi")
const compiled = new Map<string, ValidateFunction>()

const pointerOf = (parts: ReadonlyArray<string>): string =>
  `openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`

/** Why `value` does not match the declaration at this place of the document. */
const faultsOf = (value: unknown, ...parts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const pointer = pointerOf(["paths", ...parts, "schema"])
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer })
  compiled.set(pointer, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" "),
  )
}

/** The events in a text of the stream. */
const eventsIn = (text: string): ReadonlyArray<unknown> =>
  text.split("\n\n").flatMap((block) => {
    const lines = block.split("\n").map((line) => line.split(/: ?(.*)/s, 2) as [string, string])
    const { data, event, id } = Object.fromEntries(lines) as Readonly<Record<string, string | undefined>>
    return event === undefined || data === undefined ? [] : [{ id, event, data: JSON.parse(data) }]
  })

const responseFaults = (path: string, method: string, status: string, mediaType: string, value: unknown) => {
  const place = [path, method, "responses", status, "content", mediaType]
  if (mediaType !== "text/event-stream") return faultsOf(value, ...place)
  const events = eventsIn(String(value))
  return events.length === 0 ? ["no event"] : events.flatMap((event) => faultsOf(event, ...place))
}

const examplesOf = (content: Content | undefined) =>
  Object.entries(content ?? {}).flatMap(([mediaType, { examples }]) =>
    Object.entries(examples ?? {}).map(([name, example]) => ({ mediaType, name, ...example })),
  )

const endpoints = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>).map(
    (endpoint) => [`${group.identifier}.${endpoint.identifier}`, endpoint] as const,
  ),
)

describe("The examples of the documentation", () => {
  it("exist for every operation: what has to be sent, and what is returned", () => {
    const missing = operations.flatMap(({ operationId: id, parameters, requestBody, responses }) => {
      const needed = parameters.filter(({ required }) => required === true)
      const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"))
      const texts = answers.filter(([, { content }]) => Object.keys(content ?? {}).some(isText))
      return [
        ...needed.filter(({ example }) => example === undefined).map(({ name }) => `${id}: parameter ${name}`),
        ...(requestBody !== undefined && examplesOf(requestBody.content).length === 0 ? [`${id}: body`] : []),
        ...(texts.length > 0 && !texts.some(([, { content }]) => examplesOf(content).length > 0)
          ? [`${id}: answer`]
          : []),
      ]
    })
    assert.deepStrictEqual(missing, [])
  })

  it("belong to existing operations", () => {
    const ids = new Set(operations.map(({ operationId }) => operationId))
    assert.deepStrictEqual(
      Object.keys(RECORDED).filter((id) => !ids.has(id)),
      [],
    )
  })

  it("match the document", () => {
    const faults = operations.flatMap(({ method, operationId: id, parameters, path, requestBody, responses }) => [
      ...examplesOf(requestBody?.content).flatMap(({ mediaType, name, value }) =>
        // A file in a form is recorded as text.
        (mediaType === "multipart/form-data"
          ? []
          : faultsOf(value, path, method, "requestBody", "content", mediaType)
        ).map((fault) => `${id} ${name}: ${fault}`),
      ),
      ...parameters.flatMap(({ example, name }, index) =>
        example === undefined
          ? []
          : faultsOf(example, path, method, "parameters", String(index)).map((fault) => `${id} ${name}: ${fault}`),
      ),
      ...Object.entries(responses).flatMap(([status, { content }]) =>
        examplesOf(content).flatMap(({ mediaType, name, value }) =>
          responseFaults(path, method, status, mediaType, value).map((fault) => `${id} ${status} ${name}: ${fault}`),
        ),
      ),
    ])
    assert.deepStrictEqual(faults, [])
  })

  it("include an answer for every status that the service can give", () => {
    const lost = operations.flatMap(({ operationId: id, responses }) =>
      (RECORDED[id] ?? []).flatMap(({ name, response: { mediaType, status } }) =>
        examplesOf(responses[String(status)]?.content).some((shown) => shown.name === name)
          ? []
          : [`${id} ${name}: ${status} ${mediaType}`],
      ),
    )
    assert.deepStrictEqual(lost, [])
  })

  it("succeed on a fresh local service, from top to bottom", () => {
    const configs = operations
      .filter(({ operationId }) => operationId === "launch.deployToken")
      .flatMap(({ requestBody }) => examplesOf(requestBody!.content))
      .map(({ value }) => (value as { readonly dbcConfigKeypair: { readonly publicKey: string } }).dbcConfigKeypair)
    assert.isAbove(configs.length, 0)
    for (const { publicKey } of configs)
      assert.include(
        SEEDED_POOLS.map(({ config }) => config),
        publicKey,
      )
    const order = ["launch.unwhitelist", "launch.whitelist", "launch.swap"]
    assert.deepStrictEqual(
      operations.map(({ operationId }) => operationId).filter((id) => order.includes(id)),
      order,
      "a token that was removed from the whitelist is added again before it is swapped",
    )
  })

  for (const [id, endpoint] of endpoints) {
    const sent = (RECORDED[id] ?? []).filter(
      ({ request, response }) => request.mediaType === "application/json" && response.status < 400,
    )
    if (sent.length === 0) continue
    it.effect(`are accepted by the service as they are: ${id}`, () =>
      Effect.gen(function* () {
        const schema = [...endpoint.payload.values()][0]!.schemas[0] as Schema.Codec<unknown, unknown>
        for (const { request } of sent)
          yield* Schema.decodeUnknownEffect(schema)(request.body, { errors: "all", onExcessProperty: "error" })
      }),
    )
  }
})
