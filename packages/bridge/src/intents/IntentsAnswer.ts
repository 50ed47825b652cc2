import { Effect, Option, Schema, SchemaIssue } from "effect"
import { DepositAddressUnknown, IntentsRefused, IntentsUnavailable } from "./IntentsErrors.ts"
import { IntentsFault } from "./IntentsSchemas.ts"
import { refusalTexts } from "./RefusalText.ts"
import { readBody } from "@launch-registry/domain/http/ReadBody"
import { retryAfterMillis } from "@launch-registry/domain/http/RetryAfter"

/** A completely read body. */
export interface IntentsAnswer {
  readonly status: number
  readonly contentType: string
  readonly retryAfterMillis: number | undefined
  readonly text: string
}

const malformed = (detail: string, status?: number) =>
  new IntentsUnavailable({ reason: "malformed", detail, ...(status === undefined ? {} : { status }) })

/** Reads an answer whose body has at most `bytesMax`. */
export const readAnswer = Effect.fnUntraced(function* (response: Response, bytesMax: number, nowMillis: number) {
  const body = yield* Effect.tryPromise({
    try: () => readBody(response, bytesMax),
    catch: () => new IntentsUnavailable({ reason: "network", status: response.status }),
  })
  if (body === undefined) return yield* new IntentsUnavailable({ reason: "too_large", status: response.status })
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(body),
    catch: () => malformed("utf-8"),
  })
  return {
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    retryAfterMillis: retryAfterMillis(response.headers.get("retry-after"), nowMillis),
    text,
  } satisfies IntentsAnswer
})

const isJson = ({ contentType }: IntentsAnswer): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)

const decodeFault = Schema.decodeUnknownOption(Schema.fromJsonString(IntentsFault))

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

/** The error of a status without a result; `undefined` for a status with one. */
export const faultOf = (
  answer: IntentsAnswer,
): IntentsUnavailable | IntentsRefused | DepositAddressUnknown | undefined => {
  const { status } = answer
  if (status >= 200 && status < 300) return undefined
  const unavailable = (reason: IntentsUnavailable["reason"]) =>
    new IntentsUnavailable({
      reason,
      status,
      ...(answer.retryAfterMillis === undefined ? {} : { retryAfterMillis: answer.retryAfterMillis }),
    })
  // A redirection that is not followed has its own status, or none.
  if (status < 400) return unavailable("redirect")
  if (status === 429) return unavailable("rate_limited")
  if (status === 401) return unavailable("unauthorized")
  // Neither an HTML page of a proxy nor a temporary status says anything about the request.
  if (status >= 500 || status === 408 || status === 425 || !isJson(answer)) return unavailable("status")
  if (status === 403) return unavailable("unauthorized")
  const fault = Option.getOrUndefined(decodeFault(answer.text))
  const messages = refusalTexts(fault?.message ?? [])
  if (status === 404)
    // The service's framework answers so for an unknown path: the configured URL is wrong.
    return messages[0]?.startsWith("Cannot ") ? unavailable("status") : new DepositAddressUnknown()
  return new IntentsRefused({
    status,
    messages,
    ...(fault?.correlationId === undefined ? {} : { correlationId: fault.correlationId.slice(0, 200) }),
  })
}

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Names of the wrong fields; the schema's own messages would quote values. */
const fieldsOf = (issue: SchemaIssue.Issue): string => {
  const fields = formatIssues(issue).issues.map(({ path }) => (path ?? []).map(String).join("."))
  return [...new Set(fields)].slice(0, 5).join(", ").slice(0, 200)
}

/** The JSON of an answer, whatever its shape. */
export const jsonOf = (answer: IntentsAnswer): Effect.Effect<unknown, IntentsUnavailable> => {
  if (!isJson(answer)) return Effect.fail(malformed("content-type", answer.status))
  return Effect.mapError(decodeJson(answer.text), () => malformed("json", answer.status))
}

/** Checks the shape of received JSON. */
export const readAs = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (json: unknown): Effect.Effect<S["Type"], IntentsUnavailable> =>
    Effect.mapError(decode(json), ({ issue }) => malformed(fieldsOf(issue)))
}
