import { Effect, Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { field } from "./Field.ts"
import { RequestId } from "./RequestId.ts"
import { RetryAdvice } from "./RetryAdvice.ts"

/** So many faults of a request are named; what was found beyond them is one issue more. */
export const ISSUES_MAX = 20

/** One fault of an invalid request: where, as a dotted path that starts with the part of the request, and what is expected. */
export const InvalidIssue = Schema.Struct({
  path: field(Schema.String, "Where in the request: a dotted path that starts with body, query, path or headers"),
  message: field(Schema.String, "What is expected there"),
}).annotate({ identifier: "InvalidIssue", description: "One fault of a request" })
export type InvalidIssue = typeof InvalidIssue.Type

/**
 * The body of every answer that is not a success. `code` is stable and machine-readable: codes are only ever added.
 * `details` are the facts of the error; `issues` the faults of an invalid request.
 */
export interface ErrorEnvelope {
  readonly success: false
  readonly code: string
  readonly message: string
  readonly requestId: string
  readonly issues?: ReadonlyArray<InvalidIssue>
  readonly details?: Readonly<Record<string, unknown>>
}

/** The status, the code and the sentence an error is answered with. */
export interface ErrorRendering<Facts> {
  readonly status: number
  readonly code: string
  readonly message: (facts: Facts) => string
  /**
   * Seconds after which the same request may go better, for the header Retry-After; `"never"` where no waiting helps, because somebody
   * has to change a setting. Left out, a 503 or 429 asks the caller back shortly.
   */
  readonly retryAfterSeconds?: "never" | ((facts: Facts) => number | undefined)
}

/** The schema of an error as it is answered, with its status, its code and the names of its facts. */
export type ErrorResponse<Facts> = Schema.Codec<Facts, ErrorEnvelope> & {
  readonly httpStatus: number
  readonly code: string
  readonly factNames: ReadonlyArray<string>
  readonly isPermanent: boolean
}

/** A class made with `Schema.TaggedError` whose facts are plain JSON values. */
type ErrorClass = Schema.Constraint & { readonly identifier: string; readonly fields: Schema.Struct.Fields }

/**
 * How an error is answered. The result is the schema to list under `error` of an endpoint: encoding writes the
 * {@link ErrorEnvelope}, decoding (in a typed client) gives the error back. Every declared error becomes an envelope
 * here and nowhere else.
 *
 * A fact named `issues` stands at the top of the envelope, all others under `details`.
 */
export const respondWith = <Self extends ErrorClass>(
  error: Self,
  rendering: ErrorRendering<Self["Type"]>,
): ErrorResponse<Self["Type"]> => {
  const { _tag, issues, ...facts } = error.fields
  const factNames = Object.keys(facts)
  const wire = Schema.Struct({
    success: field(Schema.Literal(false), "false: the request failed"),
    code: field(Schema.Literal(rendering.code), "What went wrong, for programs; codes are only ever added"),
    message: field(Schema.String, "What went wrong, for people"),
    requestId: field(Schema.String, "Id of the request, as in the header x-request-id: quote it in a report"),
    ...(issues === undefined
      ? {}
      : {
          issues: field(
            Schema.Array(InvalidIssue),
            `Faults of the request, at most ${ISSUES_MAX} and one for the rest`,
          ),
        }),
    ...(factNames.length === 0 ? {} : { details: field(Schema.Struct(facts), "Facts of the error") }),
  }).annotate({ identifier: error.identifier })
  const Facts = error as unknown as new (facts: object) => Self["Type"]
  const decode = (body: ErrorEnvelope): Self["Type"] =>
    new Facts(body.issues === undefined ? { ...body.details } : { ...body.details, issues: body.issues })
  const encode = (value: Self["Type"]) =>
    Effect.gen(function* () {
      const note = yield* RetryAdvice
      if (note !== undefined) note.afterSeconds = retryAfter(value, rendering)
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
