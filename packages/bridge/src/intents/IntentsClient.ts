import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { layer as fetchLayer, RequestInit } from "effect/http/FetchHttpClient"
import { HttpClient, TracerDisabledWhen, withScope } from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { faultOf, type IntentsAnswer, jsonOf, readAnswer, readAs } from "./IntentsAnswer.ts"
import { type DepositAddressUnknown, type IntentsRefused, IntentsUnavailable } from "./IntentsErrors.ts"
import {
  type DepositSubmission,
  type IntentsQuoteRequest,
  IntentsQuoteResponse,
  IntentsSwapAnswer,
  type IntentsSwapState,
  IntentsToken,
  swapStateOf,
} from "./IntentsSchemas.ts"
import { keyScrub } from "./KeyScrub.ts"
import { strayField } from "./StatusEcho.ts"

const DEADLINE_MILLIS = 10_000
const BYTES_MAX = 262_144
const TOKENS_BYTES_MAX = 4_194_304

/** A quote, and the text it came in: that is what is signed, and what the support of the service asks for. */
export interface ReceivedQuote {
  readonly response: IntentsQuoteResponse
  readonly raw: string
}

/** The state of a swap, and the text it came in. */
export interface ReceivedState {
  readonly state: IntentsSwapState
  readonly raw: string
}

/** Headers that carry the key: `Authorization: Bearer <key>`, or `X-API-Key: <key>`. */
export const API_KEY_HEADERS = ["Authorization", "X-API-Key"] as const
export type ApiKeyHeader = (typeof API_KEY_HEADERS)[number]

export interface IntentsClientOptions {
  /** Base of the service, without `/v0`. */
  readonly url: string
  /** Without one the service answers all the same, for a higher fee. */
  readonly apiKey: Option.Option<Redacted.Redacted>
  /** `Authorization` (as a bearer) when left out. */
  readonly apiKeyHeader?: ApiKeyHeader | undefined
  /** For a whole call, the body of its answer included. */
  readonly deadlineMillis?: number
  /** Of the token list, and of every other answer. */
  readonly tokensBytesMax?: number
  readonly bytesMax?: number
}

type Fault = IntentsUnavailable | IntentsRefused

/**
 * The swap service at `INTENTS_URL`. One call, one request: nothing is tried again here, and nothing redirected is
 * followed. Neither the key, nor an address, nor a body gets into errors, spans or logs, and no tracing headers are sent.
 */
export class IntentsClient extends Context.Service<
  IntentsClient,
  {
    /** Entries that are not as documented are left out. An empty list is a fault. */
    readonly tokens: Effect.Effect<ReadonlyArray<IntentsToken>, Fault>
    /** The quote is not checked beyond its shape: see QuoteSignature and QuoteEcho. */
    readonly quote: (request: IntentsQuoteRequest) => Effect.Effect<ReceivedQuote, Fault>
    readonly submitDeposit: (deposit: DepositSubmission) => Effect.Effect<ReceivedState, Fault | DepositAddressUnknown>
    readonly status: (
      depositAddress: string,
      depositMemo?: string,
    ) => Effect.Effect<ReceivedState, Fault | DepositAddressUnknown>
  }
>()("@launch-registry/bridge/intents/IntentsClient") {
  static readonly layer = (options: IntentsClientOptions): Layer.Layer<IntentsClient> =>
    Layer.provide(Layer.effect(IntentsClient, make(options)), fetchLayer)
}

const make = Effect.fnUntraced(function* (options: IntentsClientOptions) {
  const client = withScope(yield* HttpClient)
  const base = options.url.replace(/\/+$/, "")
  const bytesMax = options.bytesMax ?? BYTES_MAX

  const authorized = (request: HttpClientRequest.HttpClientRequest) =>
    Option.match(options.apiKey, {
      onNone: () => request,
      onSome: (key) =>
        options.apiKeyHeader === "X-API-Key"
          ? HttpClientRequest.setHeader(request, "x-api-key", Redacted.value(key))
          : HttpClientRequest.bearerToken(request, key),
    })

  const withoutKey = keyScrub(options.apiKey)

  /** Adds the text of the answer, for diagnosis. */
  const withText =
    ({ text }: IntentsAnswer) =>
    (error: IntentsUnavailable) =>
      new IntentsUnavailable({ ...error, text: Redacted.make(text) })

  const exchange = (request: HttpClientRequest.HttpClientRequest, limit: number) =>
    Effect.gen(function* () {
      const response = yield* Effect.mapError(
        client.execute(HttpClientRequest.acceptJson(authorized(request))),
        () => new IntentsUnavailable({ reason: "network" }),
      )
      const answer = yield* readAnswer(response, limit, yield* Clock.currentTimeMillis)
      return { ...answer, text: withoutKey(answer.text) }
    }).pipe(
      // Leaving the scope ends the request, also in the middle of its answer.
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: options.deadlineMillis ?? DEADLINE_MILLIS,
        orElse: () => Effect.fail(new IntentsUnavailable({ reason: "deadline" })),
      }),
      Effect.provideService(RequestInit, { redirect: "manual" }),
      // Its span would hold the URL, and with it deposit addresses; ours below have names alone.
      Effect.provideService(TracerDisabledWhen, () => true),
    )

  const call = <A>(
    name: string,
    request: HttpClientRequest.HttpClientRequest,
    read: (answer: IntentsAnswer) => Effect.Effect<A, IntentsUnavailable>,
    limit = bytesMax,
  ): Effect.Effect<A, Fault | DepositAddressUnknown> =>
    Effect.gen(function* () {
      const answer = yield* exchange(request, limit)
      const fault = faultOf(answer)
      if (fault === undefined) return yield* Effect.mapError(read(answer), withText(answer))
      return yield* Effect.fail(fault)
    }).pipe(Effect.withSpan(`IntentsClient.${name}`))

  const posting = (path: string, body: unknown) =>
    HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(`${base}${path}`), body)
  const statusOf = (depositAddress: string, depositMemo: string | undefined) =>
    HttpClientRequest.get(`${base}/v0/status`, {
      urlParams: { depositAddress, ...(depositMemo === undefined ? {} : { depositMemo }) },
    })

  return IntentsClient.of({
    tokens: withoutAddress(
      call("tokens", HttpClientRequest.get(`${base}/v0/tokens`), tokensOf, options.tokensBytesMax ?? TOKENS_BYTES_MAX),
    ),
    quote: (request) => withoutAddress(call("quote", posting("/v0/quote", request), quoteOf)),
    submitDeposit: (deposit) =>
      call(
        "submitDeposit",
        posting("/v0/deposit/submit", deposit),
        stateOf({ depositAddress: deposit.depositAddress, depositMemo: deposit.memo }),
      ),
    status: (depositAddress, depositMemo) =>
      call("status", statusOf(depositAddress, depositMemo), stateOf({ depositAddress, depositMemo })),
  })
})

/** There is no deposit address in these calls: 404 says that the URL is wrong. */
const withoutAddress = <A>(self: Effect.Effect<A, Fault | DepositAddressUnknown>): Effect.Effect<A, Fault> =>
  Effect.catchTag(self, "DepositAddressUnknown", () =>
    Effect.fail(new IntentsUnavailable({ reason: "status", status: 404 })),
  )

const readQuote = readAs(IntentsQuoteResponse)
const readState = readAs(IntentsSwapAnswer)
const readList = readAs(Schema.Array(Schema.Unknown))
const decodeToken = Schema.decodeUnknownOption(IntentsToken)

const quoteOf = Effect.fnUntraced(function* (answer: IntentsAnswer) {
  return { response: yield* readQuote(yield* jsonOf(answer)), raw: answer.text }
})

/** A state that is of another swap than the one that was asked for cannot be read as one of this swap. */
const stateOf = (swap: Parameters<typeof strayField>[1]) =>
  Effect.fnUntraced(function* (answer: IntentsAnswer) {
    const read = yield* readState(yield* jsonOf(answer))
    const stray = strayField(read.quoteResponse, swap)
    if (stray !== undefined) return yield* new IntentsUnavailable({ reason: "malformed", detail: stray })
    return { state: swapStateOf(read), raw: answer.text }
  })

/** One entry that is wrong does not take the others with it. */
const tokensOf = Effect.fnUntraced(function* (answer: IntentsAnswer) {
  const entries = yield* readList(yield* jsonOf(answer))
  const tokens = entries.flatMap((entry) => Option.toArray(decodeToken(entry)))
  if (tokens.length === 0) return yield* new IntentsUnavailable({ reason: "malformed", detail: "no tokens" })
  const left = entries.length - tokens.length
  if (left > 0) yield* Effect.logWarning(`${left} of ${entries.length} tokens of the swap service are malformed`)
  return tokens
})
