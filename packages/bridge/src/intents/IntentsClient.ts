import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
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

/** A quote with its raw text, which is what the signature covers and what the service's support asks for. */
export interface ReceivedQuote {
  readonly response: IntentsQuoteResponse
  readonly raw: string
}

/** The state of a swap, with its raw text. */
export interface ReceivedState {
  readonly state: IntentsSwapState
  readonly raw: string
}

export interface IntentsClientOptions {
  /** Base of the service, without `/v0`. */
  readonly url: string
  /** Optional: without a key the service charges a higher fee. */
  readonly apiKey: Option.Option<Redacted.Redacted>
  /** Deadline of a whole call, including the answer's body. */
  readonly deadlineMillis?: number
  /** Of the token list, and of every other answer. */
  readonly tokensBytesMax?: number
  readonly bytesMax?: number
}

type Fault = IntentsUnavailable | IntentsRefused

/** A POST when it has a body. */
interface IntentsRequest {
  readonly path: string
  readonly body?: object
}

/**
 * The swap service at `INTENTS_URL`. One call is one request: no retries, and redirections are not followed. Keys,
 * addresses and bodies never get into errors, spans or logs, and no tracing headers are sent.
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
    Layer.sync(IntentsClient, () => make(options))
}

const make = (options: IntentsClientOptions) => {
  const base = options.url.replace(/\/+$/, "")
  const bytesMax = options.bytesMax ?? BYTES_MAX

  const authorization = Option.match(options.apiKey, {
    onNone: () => ({}),
    onSome: (key): Record<string, string> => ({ authorization: `Bearer ${Redacted.value(key)}` }),
  })

  const withoutKey = keyScrub(options.apiKey)

  /** Adds the text of the answer, for diagnosis. */
  const withText =
    ({ text }: IntentsAnswer) =>
    (error: IntentsUnavailable) =>
      new IntentsUnavailable({ ...error, text: Redacted.make(text) })

  const exchange = ({ body, path }: IntentsRequest, limit: number) =>
    Effect.gen(function* () {
      // Plain `fetch`, because Effect's HTTP client would write the URL, and with it deposit addresses, into traces.
      // The signal also aborts reading the body.
      const abort = yield* Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort()),
      )
      const response = yield* Effect.tryPromise({
        try: () =>
          fetch(`${base}${path}`, {
            headers: {
              ...authorization,
              accept: "application/json",
              ...(body && { "content-type": "application/json" }),
            },
            ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
            redirect: "manual",
            signal: abort.signal,
          }),
        catch: () => new IntentsUnavailable({ reason: "network" }),
      })
      const answer = yield* readAnswer(response, limit, yield* Clock.currentTimeMillis)
      return { ...answer, text: withoutKey(answer.text) }
    }).pipe(
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: options.deadlineMillis ?? DEADLINE_MILLIS,
        orElse: () => Effect.fail(new IntentsUnavailable({ reason: "deadline" })),
      }),
    )

  const call = <A>(
    name: string,
    request: IntentsRequest,
    read: (answer: IntentsAnswer) => Effect.Effect<A, IntentsUnavailable>,
    limit = bytesMax,
  ): Effect.Effect<A, Fault | DepositAddressUnknown> =>
    Effect.gen(function* () {
      const answer = yield* exchange(request, limit)
      const fault = faultOf(answer)
      if (fault === undefined) return yield* Effect.mapError(read(answer), withText(answer))
      return yield* Effect.fail(fault)
    }).pipe(Effect.withSpan(`IntentsClient.${name}`))

  const statusPath = (depositAddress: string, depositMemo: string | undefined) => {
    const query = new URLSearchParams({ depositAddress, ...(depositMemo !== undefined && { depositMemo }) })
    return `/v0/status?${query.toString()}`
  }

  return IntentsClient.of({
    tokens: withoutAddress(
      call("tokens", { path: "/v0/tokens" }, tokensOf, options.tokensBytesMax ?? TOKENS_BYTES_MAX),
    ),
    quote: (request) => withoutAddress(call("quote", { path: "/v0/quote", body: request }, quoteOf)),
    submitDeposit: (deposit) =>
      call(
        "submitDeposit",
        { path: "/v0/deposit/submit", body: deposit },
        stateOf({ depositAddress: deposit.depositAddress, depositMemo: deposit.memo }),
      ),
    status: (depositAddress, depositMemo) =>
      call("status", { path: statusPath(depositAddress, depositMemo) }, stateOf({ depositAddress, depositMemo })),
  })
}

/** These calls have no deposit address, so 404 means that the URL is wrong. */
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

/** The state of a different swap than requested counts as malformed. */
const stateOf = (swap: Parameters<typeof strayField>[1]) =>
  Effect.fnUntraced(function* (answer: IntentsAnswer) {
    const read = yield* readState(yield* jsonOf(answer))
    const stray = strayField(read.quoteResponse, swap)
    if (stray !== undefined) return yield* new IntentsUnavailable({ reason: "malformed", detail: stray })
    return { state: swapStateOf(read), raw: answer.text }
  })

/** An invalid entry is skipped; the others are kept. */
const tokensOf = Effect.fnUntraced(function* (answer: IntentsAnswer) {
  const entries = yield* readList(yield* jsonOf(answer))
  const tokens = entries.flatMap((entry) => Option.toArray(decodeToken(entry)))
  if (tokens.length === 0) return yield* new IntentsUnavailable({ reason: "malformed", detail: "no tokens" })
  const left = entries.length - tokens.length
  if (left > 0) yield* Effect.logWarning(`${left} of ${entries.length} tokens of the swap service are malformed`)
  return tokens
})
