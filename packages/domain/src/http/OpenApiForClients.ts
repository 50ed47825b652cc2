import type { JsonSchema, OpenApiHeader, OpenApiOperation, OpenApiResponse } from "./OpenApiOperation.ts"
import { eachObject, plainSchema, rewritten } from "./PlainSchemas.ts"
import { Forbidden, Unauthenticated } from "./AccessErrors.ts"
import { UnsupportedContentEncoding, UnsupportedContentType } from "./RequestErrors.ts"
import { BODY_ERRORS } from "./RequestGuard.ts"
import { IDEMPOTENCY_KEY } from "./IdempotencyKey.ts"

type Schemas = Readonly<Record<string, JsonSchema>>

/** The OpenAPI document that effect generates. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Schemas } & Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

const PREFIX = "#/components/schemas/"

const refersTo = (schema: JsonSchema | undefined): string | undefined =>
  typeof schema?.$ref === "string" && schema.$ref.startsWith(PREFIX) ? schema.$ref.slice(PREFIX.length) : undefined

/** Names of the schemas that `value` references, transitively. */
const reached = (value: unknown, schemas: Schemas, names = new Set<string>()): ReadonlySet<string> => {
  eachObject(value, (object) => {
    const name = refersTo(object)
    if (name !== undefined && !names.has(name)) reached(schemas[name], schemas, names.add(name))
  })
  return names
}

/** Replaces references to aliases by their targets, and drops unreferenced schemas. */
const withoutAliases = (document: OpenApiDocument): OpenApiDocument => {
  const { schemas } = document.components
  const meant = (name: string): string => {
    const { $ref, ...more } = schemas[name] ?? {}
    const next = Object.keys(more).length === 0 ? refersTo({ $ref }) : undefined
    return next === undefined ? name : meant(next)
  }
  const resolved = rewritten(document, (object) => {
    const name = refersTo(object)
    return name === undefined ? object : { ...object, $ref: `${PREFIX}${meant(name)}` }
  }) as OpenApiDocument
  const used = reached(resolved.paths, resolved.components.schemas)
  const kept = Object.entries(resolved.components.schemas).filter(([name]) => used.has(name))
  return { ...resolved, components: { ...resolved.components, schemas: Object.fromEntries(kept) } }
}

/** The value of a field with a single allowed value. */
const onlyValue = (field: unknown): unknown => {
  const values = (field as JsonSchema | undefined)?.enum
  return Array.isArray(values) && values.length === 1 ? values[0] : undefined
}

/** The discriminator of a union: a field whose value differs in each member. */
const tagOf = (members: ReadonlyArray<JsonSchema>, schemas: Schemas) => {
  const objects = members.map((member) => schemas[refersTo(member) ?? ""]?.properties as Schemas | undefined)
  for (const field of Object.keys(objects[0] ?? {})) {
    const values = objects.map((properties) => onlyValue(properties?.[field]))
    const isTag = values.every((value) => typeof value === "string") && new Set(values).size === values.length
    if (isTag) return { field, mapping: Object.fromEntries(values.map((value, at) => [value, members[at]!.$ref])) }
  }
  return undefined
}

/** Adds the discriminator to unions of objects: `event` for events, `code` for errors. */
const discriminated =
  (schemas: Schemas) =>
  (object: JsonSchema): JsonSchema => {
    if (!Array.isArray(object.anyOf ?? object.oneOf)) return object
    const { anyOf, oneOf, ...schema } = object
    const members = (anyOf ?? oneOf) as ReadonlyArray<JsonSchema>
    const tag = tagOf(members, schemas)
    if (tag === undefined) return object
    return { ...schema, oneOf: members, discriminator: { propertyName: tag.field, mapping: tag.mapping } }
  }

/** Responses may get more fields, so they are open. */
const withoutClosing = (object: JsonSchema): JsonSchema => {
  if (object.additionalProperties !== false) return object
  const { additionalProperties: _closed, ...schema } = object
  return schema
}

const changed = (
  document: OpenApiDocument,
  change: (operation: OpenApiOperation, method: string) => OpenApiOperation,
) => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, change(operation, method)])),
    ]),
  ),
})

/** Requests are closed: unknown fields are rejected. Responses are open. */
const withOpenAnswers = (document: OpenApiDocument): OpenApiDocument => {
  const { schemas } = document.components
  const sent = reached(
    Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ parameters, requestBody }) => [parameters, requestBody]),
    ),
    schemas,
  )
  const answered = Object.entries(schemas).map(([name, schema]) => [
    name,
    sent.has(name) ? schema : rewritten(schema, withoutClosing),
  ])
  const operation = changed(document, ({ responses, ...rest }) => ({
    ...rest,
    responses: rewritten(responses, withoutClosing) as OpenApiOperation["responses"],
  }))
  return { ...operation, components: { ...document.components, schemas: Object.fromEntries(answered) } }
}

/** Moves description and example from the schema of a parameter to the parameter. */
const withWordsOfParameters =
  (schemas: Schemas) =>
  (operation: OpenApiOperation): OpenApiOperation => ({
    ...operation,
    parameters: operation.parameters.map(({ schema, ...parameter }) => {
      const { description, examples, ...plain } = schema
      const named = schemas[refersTo(schema) ?? ""]
      const words = parameter.description ?? description ?? named?.description
      const [example] = (examples ?? named?.examples ?? []) as ReadonlyArray<unknown>
      return {
        ...parameter,
        ...(typeof words === "string" && { description: words }),
        ...(example !== undefined && parameter.example === undefined && { example }),
        schema: plain,
      }
    }),
  })

const BODY_CODES: ReadonlySet<unknown> = new Set(BODY_ERRORS.map(({ code }) => code))
/** Of these, what is also wrong with a body that nothing reads. */
const CONTENT_CODES: ReadonlySet<unknown> = new Set(
  [UnsupportedContentType, UnsupportedContentEncoding].map(({ response }) => response.code),
)
const ACCESS_CODES: ReadonlySet<unknown> = new Set([Unauthenticated, Forbidden].map(({ response }) => response.code))

/** Whether an operation can answer an error of its middleware. */
const isPossible = (code: unknown, { requestBody, security }: OpenApiOperation, method: string): boolean => {
  if (BODY_CODES.has(code)) return requestBody !== undefined || (method !== "get" && CONTENT_CODES.has(code))
  if (!ACCESS_CODES.has(code)) return true
  return (security as ReadonlyArray<unknown>).length > 0
}

/** Schemas and codes of the errors of a response; none for a success. */
const errorsOf = ({ content }: OpenApiResponse, schemas: Schemas) => {
  const schema = content?.["application/json"]?.schema
  const members = (schema?.anyOf ?? (schema === undefined ? [] : [schema])) as ReadonlyArray<JsonSchema>
  return members.flatMap((member) => {
    const code = onlyValue((schemas[refersTo(member) ?? ""]?.properties as Schemas | undefined)?.code)
    return typeof code === "string" ? [{ member, code }] : []
  })
}

/** Lists the error codes in descriptions; drops those about bodies and credentials of operations that take none. */
const withErrors =
  (schemas: Schemas) =>
  (operation: OpenApiOperation, method: string): OpenApiOperation => {
    const responses = Object.entries(operation.responses).flatMap(([status, response]) => {
      const errors = errorsOf(response, schemas)
      if (errors.length === 0) return [[status, response] as const]
      const possible = errors.filter(({ code }) => isPossible(code, operation, method))
      const members = possible.map(({ member }) => member)
      const schema = members.length === 1 ? members[0]! : { anyOf: members }
      const description = possible.map(({ code }) => `\`${code}\``).join(", ")
      return members.length === 0
        ? []
        : [[status, { ...response, description, content: { "application/json": { schema } } }] as const]
    })
    return { ...operation, responses: Object.fromEntries(responses) }
  }

/** Headers of responses of any operation, by their component name. */
const HEADERS: Readonly<Record<string, OpenApiHeader>> = {
  RequestId: {
    description:
      "Id of the request, of this service alone. What was sent in this header (1 to 64 letters, digits, - and _) stands before it, with a dot between",
    schema: { type: "string" },
  },
  RetryAfter: {
    description: "Seconds after which to retry; absent if a setting has to be changed first",
    schema: { type: "integer", minimum: 1 },
  },
  RateLimit: {
    description:
      'Where requests are limited: what is left of the client\'s requests (`r`) until the window ends (`t` seconds), as `"default";r=50;t=30`',
    schema: { type: "string" },
  },
  RateLimitPolicy: {
    description:
      'Where requests are limited: requests of a client (`q`) in a window of `w` seconds, as `"default";q=600;w=60`',
    schema: { type: "string" },
  },
  IdempotencyReplayed: {
    description: "The request was executed before: this is its stored response",
    schema: { type: "string", enum: ["true"] },
  },
}

const headerOf = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** Whether requests of an operation count against the limit of their client. */
const isLimited = ({ responses }: OpenApiOperation): boolean =>
  responses["429"]?.description.includes("`rate_limited`") === true

/** Statuses from before a request was parsed: there is no request id. */
const WITHOUT_ID = new Set(["417", "431", "501"])

const withHeadersOfAll = (operation: OpenApiOperation): OpenApiOperation => {
  const isKeyed = operation.parameters.some(({ name }) => name === IDEMPOTENCY_KEY)
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const headers = {
      ...(WITHOUT_ID.has(status) ? {} : { "x-request-id": headerOf("RequestId") }),
      ...(status === "429" || status === "503" ? { "retry-after": headerOf("RetryAfter") } : {}),
      ...(isLimited(operation) && (status === "429" || status.startsWith("2"))
        ? { ratelimit: headerOf("RateLimit"), "ratelimit-policy": headerOf("RateLimitPolicy") }
        : {}),
      ...(isKeyed && status.startsWith("2") ? { "idempotency-replayed": headerOf("IdempotencyReplayed") } : {}),
      ...response.headers,
    }
    return [status, Object.keys(headers).length === 0 ? response : { ...response, headers }]
  })
  return { ...operation, responses: Object.fromEntries(responses) }
}

/** Drops extensions for effect's own clients. */
const withoutMarks = (object: JsonSchema): JsonSchema =>
  "x-effect-stream" in object
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== "x-effect-stream"))
    : object

/** The OpenAPI document, adapted to generators of clients. */
export const forClients = (made: object): OpenApiDocument => {
  const plain = rewritten(made, (object) => plainSchema(withoutMarks(object))) as OpenApiDocument
  const named = withoutAliases(plain)
  const { schemas } = named.components
  const described = changed(named, (operation, method) =>
    withHeadersOfAll(withErrors(schemas)(withWordsOfParameters(schemas)(operation), method)),
  )
  const open = withOpenAnswers(rewritten(described, discriminated(schemas)) as OpenApiDocument)
  return { ...open, components: { ...open.components, headers: HEADERS } }
}
