import { Effect, Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { field } from "./Field.ts"
import { RequestId } from "./RequestId.ts"
import { RetryAdvice } from "./RetryAdvice.ts"

/** Maximum number of issues in a response; one more issue stands for the rest. */
export const ISSUES_MAX = 20

/** One issue of an invalid request. */
export const InvalidIssue = Schema.Struct({
  path: field(Schema.String, "Where in the request: a dotted path that starts with body, query, path or headers"),
  message: field(Schema.String, "What is expected"),
  maximum: Schema.optionalKey(
    field(Schema.String, "The largest amount that would be taken, where this one is too large: a decimal string"),
  ),
}).annotate({ identifier: "InvalidIssue", description: "One issue of an invalid request" })
export type InvalidIssue = typeof InvalidIssue.Type

/**
 * The body of every error response. `code` is stable and machine-readable: codes are only ever added. `details` are the
 * fields of the error, `issues` those of an invalid request.
 */
export interface ErrorEnvelope {
  readonly success: false
  readonly code: string
  readonly message: string
  readonly requestId: string
  readonly issues?: ReadonlyArray<InvalidIssue>
  readonly details?: Readonly<Record<string, unknown>>
}

/** Status, code and message of an error response. */
export interface ErrorRendering<Facts> {
  readonly status: number
  readonly code: string
  readonly message: (facts: Facts) => string
  /**
   * Seconds for the Retry-After header; `"never"` if retrying is pointless until a setting is changed. By default a 503
   * or 429 has a short Retry-After.
   */
  readonly retryAfterSeconds?: "never" | ((facts: Facts) => number | undefined)
}

/** The schema of an error response, with its status, its code and the names of its fields. */
export type ErrorResponse<Facts> = Schema.Codec<Facts, ErrorEnvelope> & {
  readonly httpStatus: number
  readonly code: string
  readonly factNames: ReadonlyArray<string>
  readonly isPermanent: boolean
}

/** A `Schema.TaggedError` class whose fields are plain JSON values. */
type ErrorClass = Schema.Constraint & { readonly identifier: string; readonly fields: Schema.Struct.Fields }

/**
 * The response of an error: the schema to list under `error` of an endpoint. Encoding writes the {@link ErrorEnvelope};
 * decoding, in a typed client, restores the error.
 *
 * A field named `issues` goes to the top of the envelope, all others into `details`.
 */
export const respondWith = <Self extends ErrorClass>(
  error: Self,
  rendering: ErrorRendering<Self["Type"]>,
): ErrorResponse<Self["Type"]> => {
  const { _tag, issues, ...facts } = error.fields
  const factNames = Object.keys(facts)
  const wire = Schema.Struct({
    success: field(Schema.Literal(false), "false: the request failed"),
    code: field(Schema.Literal(rendering.code), "What went wrong, machine-readable; codes are only ever added"),
    message: field(Schema.String, "What went wrong, human-readable"),
    requestId: field(Schema.String, "Id of the request, as in the header x-request-id: include it in bug reports"),
    ...(issues === undefined
      ? {}
      : {
          issues: field(
            Schema.Array(InvalidIssue),
            `Issues of the request: at most ${ISSUES_MAX}, and one more for the rest`,
          ),
        }),
    ...(factNames.length === 0 ? {} : { details: field(Schema.Struct(facts), "Details of the error") }),
  }).annotate({ identifier: error.identifier })
  const Facts = error as unknown as new (facts: object) => Self["Type"]
  const decode = (body: ErrorEnvelope): Self["Type"] =>
    new Facts(body.issues === undefined ? { ...body.details } : { ...body.details, issues: body.issues })
  const encode = (value: Self["Type"]) =>
    Effect.gen(function* () {
      const note = yield* RetryAdvice
      if (note !== undefined) {
        note.afterSeconds = retryAfter(value, rendering)
        note.code = rendering.code
      }
      return envelopeOf(value, rendering, factNames, yield* RequestId)
    })
  const codec = (wire as unknown as Schema.Codec<ErrorEnvelope>).pipe(
    Schema.decodeTo(Schema.toType(error as unknown as Schema.Codec<Self["Type"], ErrorEnvelope>), {
      decode: SchemaGetter.transform(decode) as SchemaGetter.Getter<Self["Type"], ErrorEnvelope>,
      encode: SchemaGetter.transformEffect(encode) as SchemaGetter.Getter<ErrorEnvelope, Self["Type"]>,
    }),
  )
  const response = HttpApiSchema.status(rendering.status)(codec) as unknown as Schema.Codec<Self["Type"], ErrorEnvelope>
  return Object.assign(response, {
    httpStatus: rendering.status,
    code: rendering.code,
    factNames,
    isPermanent: rendering.retryAfterSeconds === "never",
  })
}

const retryAfter = <Facts>(value: Facts, { retryAfterSeconds }: ErrorRendering<Facts>): number | null | undefined =>
  retryAfterSeconds === "never" ? null : retryAfterSeconds?.(value)

const envelopeOf = <Facts>(
  value: Facts,
  rendering: ErrorRendering<Facts>,
  factNames: ReadonlyArray<string>,
  requestId: string,
): ErrorEnvelope => {
  const facts = value as Readonly<Record<string, unknown>>
  const stated = factNames.filter((name) => facts[name] !== undefined)
  return {
    success: false,
    code: rendering.code,
    message: rendering.message(value),
    requestId,
    ...(facts.issues === undefined ? {} : { issues: facts.issues as ReadonlyArray<InvalidIssue> }),
    ...(stated.length === 0 ? {} : { details: Object.fromEntries(stated.map((name) => [name, facts[name]])) }),
  }
}
