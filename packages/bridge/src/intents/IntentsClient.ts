import { readBody } from "@launch-registry/domain/http/ReadBody"
import { retryAfterMillis } from "@launch-registry/domain/http/RetryAfter"
import { Clock, Effect, Option, Redacted, Schema, SchemaIssue } from "effect"
import { DepositAddressUnknown, IntentsRefused, IntentsUnavailable } from "./IntentsErrors.ts"
import { IntentsFault, type IntentsQuoteRequest, IntentsQuoteResponse, IntentsToken } from "./IntentsSchemas.ts"
import { keyScrub } from "./KeyScrub.ts"
import { refusalTexts } from "./QuoteRefusal.ts"
import { readReport, type SwapReport } from "./SwapReport.ts"

const DEADLINE_MILLIS = 10_000
const BYTES_MAX = 262_144
const TOKENS_BYTES_MAX = 4_194_304

/** What is said of a swap, with its raw text. */
export interface ReceivedReport {
  readonly report: SwapReport
  readonly raw: string
}

export interface IntentsClientOptions {
  /** Base of the service, without `/v0`. */
  readonly url: string
  /** Optional: without a key the service charges a higher fee. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Deadline of a whole call, including the answer's body. */
  readonly deadlineMillis?: number | undefined
  /** Of the token list, and of every other answer. */
  readonly tokensBytesMax?: number
  readonly bytesMax?: number
}

interface Sent {
  readonly txHash: string
  readonly depositAddress: string
  readonly memo?: string
  readonly nearSenderAccount?: string
}

type Fault = IntentsUnavailable | IntentsRefused

/** A completely read body. */
interface Answer {
  readonly status: number
  readonly isJson: boolean
  readonly retryAfterMillis: number | undefined
  readonly text: string
}

/**
 * The swap service at `INTENTS_URL`. One call is one request: no retries, and redirections are not followed. Keys,
 * addresses and bodies never get into errors, spans or logs, and no tracing headers are sent.
 */
export const intentsClient = (options: IntentsClientOptions) => {
  const base = options.url.replace(/\/+$/, "")
  const key = options.apiKey && Redacted.value(options.apiKey)
  const withoutKey = keyScrub(key)

  const exchange = (path: string, body: object | undefined, bytesMax: number) =>
    // Plain `fetch`, because Effect's HTTP client would write the URL, and with it deposit addresses, into traces.
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${base}${path}`, {
          headers: {
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            accept: "application/json",
            ...(body && { "content-type": "application/json" }),
          },
          ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
          redirect: "manual",
          signal,
        })
        return { response, bytes: await readBody(response, bytesMax) }
      },
      catch: () => new IntentsUnavailable({ reason: "network" }),
    }).pipe(
      Effect.flatMap(({ bytes, response }) => answerOf(response, bytes, withoutKey)),
      Effect.timeoutOrElse({
        duration: options.deadlineMillis ?? DEADLINE_MILLIS,
        orElse: () => Effect.fail(new IntentsUnavailable({ reason: "deadline" })),
      }),
    )

  const call = <A>(
    name: string,
    request: { readonly path: string; readonly body?: object; readonly bytesMax?: number | undefined },
    read: (json: unknown, text: string) => Effect.Effect<A, IntentsUnavailable>,
  ): Effect.Effect<A, Fault | DepositAddressUnknown> =>
    Effect.gen(function* () {
      const answer = yield* exchange(request.path, request.body, request.bytesMax ?? options.bytesMax ?? BYTES_MAX)
      const fault = faultOf(answer)
      if (fault !== undefined) return yield* Effect.fail(fault)
      // The text of an unreadable answer is kept for diagnosis.
      return yield* Effect.flatMap(jsonOf(answer), (json) => read(json, answer.text)).pipe(
        Effect.mapError((error) => new IntentsUnavailable({ ...error, text: Redacted.make(answer.text) })),
      )
    }).pipe(Effect.withSpan(`IntentsClient.${name}`))

  return {
    /** Entries that are not as documented are left out. An empty list is a fault. */
    tokens: withoutAddress(
      call("tokens", { path: "/v0/tokens", bytesMax: options.tokensBytesMax ?? TOKENS_BYTES_MAX }, tokensOf),
    ),
    /** The quote is not checked beyond its shape: see QuoteSignature and QuoteCheck. */
    quote: (body: IntentsQuoteRequest) => withoutAddress(call("quote", { path: "/v0/quote", body }, quoteOf)),
    /** The memo is for quotes that came with one, the sender for deposits on NEAR. */
    submitDeposit: (body: Sent) =>
      call("submitDeposit", { path: "/v0/deposit/submit", body }, reportOf(body.depositAddress, body.memo)),
    status: (depositAddress: string, depositMemo?: string) => {
      const query = new URLSearchParams({ depositAddress, ...(depositMemo !== undefined && { depositMemo }) })
      return call("status", { path: `/v0/status?${query.toString()}` }, reportOf(depositAddress, depositMemo))
    },
  }
}

export type IntentsClient = ReturnType<typeof intentsClient>

const malformed = (detail: string, status?: number) =>
  new IntentsUnavailable({ reason: "malformed", detail, ...(status !== undefined && { status }) })

const answerOf = Effect.fnUntraced(function* (
  { headers, status }: Response,
  bytes: Uint8Array | undefined,
  withoutKey: (text: string) => string,
) {
  if (bytes === undefined) return yield* new IntentsUnavailable({ reason: "too_large", status })
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => malformed("utf-8"),
  })
  return {
    status,
    isJson: /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers.get("content-type") ?? ""),
    retryAfterMillis: retryAfterMillis(headers.get("retry-after"), yield* Clock.currentTimeMillis),
    text: withoutKey(text),
  } satisfies Answer
})

const decodeFault = Schema.decodeUnknownOption(Schema.fromJsonString(IntentsFault))

/** The error of a status without a result; `undefined` for a status with one. */
const faultOf = (answer: Answer): Fault | DepositAddressUnknown | undefined => {
  const { isJson, retryAfterMillis: wait, status, text } = answer
  if (status >= 200 && status < 300) return undefined
  const unavailable = (reason: IntentsUnavailable["reason"]) =>
    new IntentsUnavailable({ reason, status, ...(wait !== undefined && { retryAfterMillis: wait }) })
  // A redirection that is not followed has its own status, or none.
  if (status < 400) return unavailable("redirect")
  if (status === 429) return unavailable("rate_limited")
  if (status === 401) return unavailable("unauthorized")
  // Neither an HTML page of a proxy nor a temporary status says anything about the request.
  if (status >= 500 || status === 408 || status === 425 || !isJson) return unavailable("status")
  if (status === 403) return unavailable("unauthorized")
  const messages = refusalTexts(Option.getOrUndefined(decodeFault(text))?.message ?? [])
  if (status !== 404) return new IntentsRefused({ status, messages })
  // The service's framework answers so for an unknown path: the configured URL is wrong.
  return messages[0]?.startsWith("Cannot ") ? unavailable("status") : new DepositAddressUnknown()
}

/** These calls have no deposit address, so 404 means that the URL is wrong. */
const withoutAddress = <A>(self: Effect.Effect<A, Fault | DepositAddressUnknown>): Effect.Effect<A, Fault> =>
  Effect.catchTag(self, "DepositAddressUnknown", () =>
    Effect.fail(new IntentsUnavailable({ reason: "status", status: 404 })),
  )

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

const jsonOf = ({ isJson, status, text }: Answer): Effect.Effect<unknown, IntentsUnavailable> =>
  isJson
    ? Effect.mapError(decodeJson(text), () => malformed("json", status))
    : Effect.fail(malformed("content-type", status))

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Names of the wrong fields; the schema's own messages would quote values. */
const fieldsOf = (issue: SchemaIssue.Issue): string => {
  const fields = formatIssues(issue).issues.map(({ path }) => (path ?? []).map(String).join("."))
  return [...new Set(fields)].slice(0, 5).join(", ").slice(0, 200)
}

const decodeQuote = Schema.decodeUnknownEffect(IntentsQuoteResponse)
const decodeToken = Schema.decodeUnknownOption(IntentsToken)

/** With the raw text, which is what the signature covers and what the service's support asks for. */
const quoteOf = (json: unknown, raw: string) =>
  decodeQuote(json).pipe(
    Effect.mapBoth({
      onSuccess: (response) => ({ response, raw }),
      onFailure: ({ issue }) => malformed(fieldsOf(issue)),
    }),
  )

const reportOf = (depositAddress: string, depositMemo: string | undefined) => (json: unknown, raw: string) => {
  const report = readReport(json, depositAddress, depositMemo)
  return typeof report === "string" ? Effect.fail(malformed(report)) : Effect.succeed({ report, raw })
}

/** An invalid entry is skipped; the others are kept. */
const tokensOf = Effect.fnUntraced(function* (json: unknown) {
  const entries: ReadonlyArray<unknown> = Array.isArray(json) ? json : []
  const tokens = entries.flatMap((entry) => Option.toArray(decodeToken(entry)))
  if (tokens.length === 0) return yield* malformed("no tokens")
  const left = entries.length - tokens.length
  if (left > 0) yield* Effect.logWarning(`${left} of ${entries.length} tokens of the swap service are malformed`)
  return tokens
})
