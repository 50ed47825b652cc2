import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import type { FuzzRequest } from "./FuzzRequest.ts"
import { isPathOf, type OpenApiDocument, type Operation } from "./OpenApi.ts"
import type { FuzzAnswer } from "./SendRequest.ts"

/** An error message is short. */
const ERROR_BYTES_MAX = 32 * 1024

/** Answers from before a request has an operation. */
const BEFORE_ROUTER: ReadonlySet<number> = new Set([400, 417, 431])
/** Answers to a request without an operation. */
const OUTSIDE_STATUSES: ReadonlySet<number> = new Set([...BEFORE_ROUTER, 404, 405])

/** Parts of stack traces, statements and file paths, which no answer may contain. */
const INTERIOR = /node_modules|\bat .*\.ts:\d|\.ts:\d+:\d+|\binsert into |\bselect .* from |ECONNREFUSED|SqlError/

const ENVELOPE = {
  type: "object",
  properties: {
    success: { const: false },
    code: { type: "string", pattern: "^[a-z0-9_]+$" },
    message: { type: "string", minLength: 1 },
    requestId: { type: "string" },
    issues: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string" }, message: { type: "string" }, maximum: { type: "string" } },
        required: ["path", "message"],
        additionalProperties: false,
      },
    },
    details: { type: "object" },
  },
  required: ["success", "code", "message"],
  additionalProperties: false,
}

/** Why an answer does not match the document; `undefined` if it does. */
export type AnswerCheck = (request: FuzzRequest, answer: FuzzAnswer) => string | undefined

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1")

/** The document with closed responses: answers have only declared fields, though clients must tolerate more. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, closed(field)]))
  return fields.type === "object" && !("additionalProperties" in fields)
    ? { ...fields, additionalProperties: false }
    : fields
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const codeOf = (body: Buffer): unknown => (jsonOf(body.toString()) as { readonly code?: unknown } | undefined)?.code

/** The complete events of a stream, as the document describes them. */
const eventsIn = (text: string): ReadonlyArray<unknown> =>
  text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      const lines = block.split("\n").map((line) => line.split(/: ?(.*)/s, 2) as [string, string])
      const { data, event, id } = Object.fromEntries(lines) as Readonly<Record<string, string | undefined>>
      return event === undefined || data === undefined ? [] : [{ id, event, data: jsonOf(data) }]
    })

/** Checks answers against the document: status, media type and body have to be declared, without additional fields. */
export const makeAnswerCheck = (document: OpenApiDocument, operations: ReadonlyArray<Operation>): AnswerCheck => {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
  ajv.addSchema(closed(document) as object, "openapi")
  const isEnvelope = ajv.compile(ENVELOPE)
  const validators = new Map<string, ValidateFunction>()

  const validatorOf = ({ method, path }: Operation, status: string, mediaType: string): ValidateFunction => {
    const pointer = ["paths", path, method.toLowerCase(), "responses", status, "content", mediaType, "schema"]
    const reference = `openapi#/${pointer.map((part) => encodeURIComponent(escaped(part))).join("/")}`
    const known = validators.get(reference) ?? ajv.compile({ $ref: reference })
    validators.set(reference, known)
    return known
  }

  /** Why the answer is not one of this operation. */
  const faultFor = (operation: Operation, { body, headers, status }: FuzzAnswer): string | undefined => {
    const declared = operation.responses[String(status)]
    if (declared === undefined) return `status ${status} is not declared`
    const mediaType = (headers["content-type"] ?? "").split(";")[0]!
    // The HTML page is undeclared: no generated client requests it.
    if (operation.operationId === "system.health" && mediaType === "text/html" && status === 200) return undefined
    if (declared.content?.[mediaType] === undefined) return `media type ${mediaType} is not declared for ${status}`
    const isJson = mediaType === "application/json"
    if (isJson && jsonOf(body.toString()) === undefined) return `the body is no JSON, but ${status} says so`
    if ((declared.content[mediaType].schema.format === "binary" && !isJson) || mediaType === "text/plain")
      return undefined
    const isValid = validatorOf(operation, String(status), mediaType)
    const text = body.toString()
    for (const value of mediaType === "text/event-stream" ? eventsIn(text) : [jsonOf(text)]) {
      if (isValid(value)) continue
      const [error] = isValid.errors ?? []
      return `the body is not as declared for ${status}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`
    }
    return undefined
  }

  const headerFault = ({ body, headers, status }: FuzzAnswer): string | undefined => {
    if (headers["x-content-type-options"] !== "nosniff" && status !== 204) return "nosniff is missing"
    const retryAfter = headers["retry-after"]
    if (retryAfter !== undefined && !/^[1-9]\d{0,5}$/.test(retryAfter)) return `Retry-After is ${retryAfter}`
    if (status === 405 && headers.allow === undefined) return "Allow is missing"
    const length = headers["content-length"]
    const isPlain = headers["content-encoding"] === undefined && body.length > 0
    return isPlain && length !== undefined && Number(length) !== body.length ? "Content-Length is wrong" : undefined
  }

  const errorFault = ({ body, headers, status }: FuzzAnswer): string | undefined => {
    const value = jsonOf(body.toString())
    if (!isEnvelope(value)) return `${status} is not the envelope`
    const { requestId } = value as { readonly requestId?: string }
    // Malformed HTTP never became a request: the answer has no request id, and the connection is closed.
    const isOfRequest = requestId !== "" || headers.connection !== "close"
    if (isOfRequest && requestId !== undefined && requestId !== headers["x-request-id"])
      return "x-request-id is another one"
    if (body.length > ERROR_BYTES_MAX) return `an error of more than ${ERROR_BYTES_MAX} bytes`
    return INTERIOR.test(body.toString()) ? "it shows the interior" : undefined
  }

  return (request, answer) => {
    const { body, status } = answer
    if (status >= 500 && status !== 502 && status !== 503) return `status ${status}`
    const sane = headerFault(answer)
    if (sane !== undefined) return sane
    if (request.method === "HEAD" || request.method === "OPTIONS" || status === 304 || status === 204)
      return body.length === 0 ? undefined : errorFault(answer)
    const error = status >= 400 ? errorFault(answer) : undefined
    if (error !== undefined) return error
    // The gateway's `/ipfs/{cid}/` is the content, as documented in GatewayApi.
    const path = request.url.split(/[?#]/, 1)[0]!.replace(/^(\/ipfs\/[^/]+)\/$/, "$1")
    // Paths are exact: a path that is not declared literally belongs to no operation.
    const asked = operations.filter((operation) => operation.method === request.method && isPathOf(operation, path))
    if (asked.length === 0)
      return OUTSIDE_STATUSES.has(status) ? undefined : `${status} for a path that is not declared`
    const faults = asked.map((operation) => faultFor(operation, answer))
    // A parameter that decodes to the name of another operation belongs to neither.
    const isNoRoute = status === 404 && path.includes("%") && codeOf(body) === "route_not_found"
    const isOutside = BEFORE_ROUTER.has(status) || isNoRoute
    return faults.includes(undefined) || isOutside ? undefined : faults[0]
  }
}
