import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Logger, Schema, Tracer } from "effect"
import { DepositAddressUnknown, IntentsRefused, IntentsUnavailable } from "../../src/intents/IntentsErrors.ts"
import { unstalledClock } from "../../../chain/test/UnstalledClock.ts"
import { type IntentsTrouble } from "../IntentsFaults.ts"
import { API_KEY, clientOf, requestOf } from "./IntentsClientOf.ts"

/** For calls that are not answered. */
const DEADLINE_MILLIS = 500

type Fault = IntentsUnavailable | IntentsRefused | DepositAddressUnknown

/** A client, and a swap that it can ask for. */
const started = Effect.fnUntraced(function* (options: Parameters<typeof clientOf>[0] = {}) {
  const { client, standIn } = yield* clientOf({ apiKey: API_KEY, ...options })
  const { response } = yield* client.quote(requestOf())
  const address = response.quote.depositAddress!
  const calls = {
    tokens: client.tokens,
    quote: client.quote(requestOf()),
    submit: client.submitDeposit({ depositAddress: address, txHash: "a-transaction" }),
    status: client.status(address),
  }
  const all = [calls.tokens, calls.quote, calls.submit, calls.status].map((call) =>
    Effect.asVoid<unknown, Fault, never>(call),
  )
  return { address, all, calls, standIn }
})

const isSilence = (trouble: IntentsTrouble | undefined): boolean =>
  trouble === "hang" || (typeof trouble === "object" && "slowMillis" in trouble)
const deadlineFor = (trouble: IntentsTrouble | undefined) =>
  isSilence(trouble) ? { deadlineMillis: DEADLINE_MILLIS } : {}

const FAULTS: ReadonlyArray<[string, IntentsTrouble, Partial<IntentsUnavailable>]> = [
  ["it never answers", "hang", { reason: "deadline" }],
  ["it answers too late", { slowMillis: 60_000 }, { reason: "deadline" }],
  ["it resets the connection", "reset", { reason: "network" }],
  ["its answer breaks off", "cut", { reason: "network" }],
  ["it answers 200 with a page", "html", { reason: "malformed", detail: "content-type" }],
  ["its JSON is malformed", "malformed_json", { reason: "malformed", detail: "json" }],
  ["its text is not UTF-8", "not_utf8", { reason: "malformed", detail: "utf-8" }],
  ["its answer does not end", "endless", { reason: "too_large" }],
  ["it redirects", { redirectTo: "http://127.0.0.1:9/v0/elsewhere" }, { reason: "redirect", status: 302 }],
  ["it has a fault", { status: 500 }, { reason: "status", status: 500 }],
  ["it is down", { status: 503, retryAfter: "7" }, { reason: "status", status: 503, retryAfterMillis: 7_000 }],
  ["a proxy before it is down", { status: 502, isHtml: true }, { reason: "status", status: 502 }],
  ["a proxy before it refuses", { status: 403, isHtml: true }, { reason: "status", status: 403 }],
  ["it asks for a pause", { status: 429, retryAfter: "30" }, { reason: "rate_limited", retryAfterMillis: 30_000 }],
  ["it asks for a pause without saying how long", { status: 429 }, { reason: "rate_limited", status: 429 }],
  ["it does not take the key", { status: 401 }, { reason: "unauthorized", status: 401 }],
  ["the key may not do this", { status: 403 }, { reason: "unauthorized", status: 403 }],
  ["its path is wrong", { status: 404, body: { message: "Cannot GET /v0/x" } }, { reason: "status", status: 404 }],
  ["404 is a page", { status: 404, isHtml: true }, { reason: "status", status: 404 }],
]

describe("The swap service is unavailable", () => {
  for (const [what, trouble, expected] of FAULTS)
    it.live(`when ${what}: every call fails with that, and no connection stays open`, () =>
      Effect.gen(function* () {
        const { all, calls, standIn } = yield* started(deadlineFor(trouble))
        standIn.trouble(trouble)
        for (const error of yield* Effect.forEach(all, Effect.flip, { concurrency: "unbounded" })) {
          assert.instanceOf(error, IntentsUnavailable)
          assert.deepInclude(error, expected)
        }
        yield* Effect.promise(() => standIn.until(({ open }) => open === 0))
        assert.strictEqual(standIn.seen.length, 5, "one request a call, no second try, nothing followed")
        standIn.recover()
        yield* calls.status
        // Both ends are in this process: no answer is late because the machine is busy.
      }).pipe(Effect.provide(unstalledClock)),
    )

  it.live("when JSON has another shape: the error names the fields, not their values", () =>
    Effect.gen(function* () {
      const { all, calls, standIn } = yield* started()
      standIn.trouble("other_shape")
      const errors = yield* Effect.forEach(all, Effect.flip)
      for (const error of errors) assert.deepInclude(error, { _tag: "IntentsUnavailable", reason: "malformed" })
      standIn.recover()
      const amounts = { amountOut: 1e21, refundedAmount: "1.5", depositedAmount: "-1" }
      standIn.trouble({ status: 200, body: { status: "SUCCESS", swapDetails: amounts } })
      const { report } = yield* calls.status
      assert.strictEqual(report.status, "SUCCESS")
      assert.deepStrictEqual(report.unreadable, ["amountOut", "depositedAmount", "refundedAmount"])
      for (const amountOut of ["1.5", "-1", "1e3", " 1", "0x1", "9".repeat(79)]) {
        standIn.recover()
        standIn.trouble({ status: 200, body: { status: "SUCCESS", swapDetails: { amountOut } } })
        const odd = yield* calls.status
        assert.deepStrictEqual([odd.report.unreadable, odd.report.details.amountOut], [["amountOut"], undefined])
      }
      standIn.recover()
      const largest = (2n ** 256n - 1n).toString()
      standIn.trouble({ status: 200, body: { status: "SUCCESS", swapDetails: { amountOut: largest } } })
      assert.strictEqual((yield* calls.status).report.details.amountOut, largest)
    }),
  )

  it.live("when its list of tokens is empty, but not when only some tokens are malformed", () =>
    Effect.gen(function* () {
      const { calls, standIn } = yield* started()
      const good = { assetId: "nep141:a.near", decimals: 6, blockchain: "new-chain", symbol: "A" }
      standIn.trouble(
        { status: 200, body: [good, { ...good, decimals: "6" }, null, { ...good, price: null }] },
        { times: 1 },
      )
      const tokens = yield* calls.tokens
      assert.deepStrictEqual(tokens, [good, good])
      standIn.trouble({ status: 200, body: [] }, { times: 1 })
      assert.deepInclude(yield* Effect.flip(calls.tokens), { reason: "malformed", detail: "no tokens" })
    }),
  )

  it.live("when its answer exceeds the size limit, counted while it is read", () =>
    Effect.gen(function* () {
      const { calls } = yield* started({ tokensBytesMax: 1_000 })
      assert.deepInclude(yield* Effect.flip(calls.tokens), { reason: "too_large", status: 200 })
      yield* calls.status
    }),
  )
})

describe("404", () => {
  it.live("means an unknown address for a swap, and has no meaning for other calls", () =>
    Effect.gen(function* () {
      const { address, calls, standIn } = yield* started()
      standIn.trouble("unknown_address", { call: "status", address, times: 1 })
      assert.instanceOf(yield* Effect.flip(calls.status), DepositAddressUnknown)
      yield* calls.status
      standIn.trouble("unknown_address", { times: 3 })
      assert.instanceOf(yield* Effect.flip(calls.submit), DepositAddressUnknown)
      assert.deepInclude(yield* Effect.flip(calls.quote), { reason: "status", status: 404 })
      assert.deepInclude(yield* Effect.flip(calls.tokens), { reason: "status", status: 404 })
    }),
  )
})

const printed = (...values: ReadonlyArray<unknown>): string =>
  values.map((value) => inspect(value, { depth: 20, showHidden: true })).join("\n")

const Errors = Schema.Union([IntentsUnavailable, IntentsRefused, DepositAddressUnknown])

describe("The key, the URL and deposit addresses", () => {
  const QUOTING: ReadonlyArray<[string, IntentsTrouble | undefined]> = [
    ["all is well", undefined],
    ["a refusal quotes the key", { status: 400, body: { message: `bad token ${API_KEY}` } }],
    ["the key is refused", { status: 401, body: { message: `bad token ${API_KEY}` } }],
    ["it redirects to the key", { redirectTo: `http://127.0.0.1:9/${API_KEY}` }],
    ["a value of the answer is the key", { status: 200, body: { status: [API_KEY], quote: API_KEY } }],
    ["the connection breaks", "reset"],
    ["the answer does not come", "hang"],
  ]
  for (const [what, trouble] of QUOTING)
    it.live(`are in no error, log or span when ${what}`, () =>
      Effect.gen(function* () {
        const { address, all, standIn } = yield* started(deadlineFor(trouble))
        if (trouble !== undefined) standIn.trouble(trouble)
        const logs: Array<string> = []
        const spans: Array<Tracer.Span> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          },
        })
        const exits = yield* Effect.forEach(all, (call) =>
          call.pipe(
            Effect.tapCause((cause) => Effect.logError("The call failed", cause)),
            Effect.exit,
          ),
        ).pipe(
          Effect.withTracer(tracer),
          Effect.provide(Logger.layer([Logger.make(({ cause, message }) => void logs.push(printed(message, cause)))])),
        )
        const seen = [...logs]
        for (const exit of exits) {
          assert.strictEqual(Exit.isSuccess(exit), trouble === undefined)
          if (Exit.isSuccess(exit)) continue
          seen.push(printed(Cause.pretty(exit.cause), Cause.squash(exit.cause)))
          for (const { error } of exit.cause.reasons.filter(Cause.isFailReason))
            seen.push(printed(yield* Schema.encodeEffect(Errors)(error)))
        }
        for (const span of spans) {
          // The result of a call is in its span until export; exporters leave it out.
          const { status } = span
          const ended = status._tag === "Ended" && Exit.isSuccess(status.exit) ? "success" : status
          seen.push(printed(span.name, [...span.attributes], ended, ...("events" in span ? [span.events] : [])))
        }
        assert.deepStrictEqual(
          spans.map(({ name }) => name),
          ["tokens", "quote", "submitDeposit", "status"].map((name) => `IntentsClient.${name}`),
        )
        for (const canary of [API_KEY, "CANARY", address, standIn.url]) assert.notInclude(seen.join("\n"), canary)
      }),
    )
})
