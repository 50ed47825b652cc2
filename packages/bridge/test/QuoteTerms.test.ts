import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../service/test/TestServer.ts"
import { SERVICE_ACCOUNT, signed } from "./IntentsQuoteMaker.ts"
import {
  API_KEY,
  EVM_USER,
  SOL_USER,
  START_MILLIS,
  STELLAR_USER,
  TestBridge,
  USDC_ON_ARB,
  USDC_ON_SOL,
  XLM,
} from "./TestBridge.ts"

type Fields = Readonly<Record<string, unknown>>
type Response = Readonly<Record<string, unknown>> & { readonly quote: Fields; readonly quoteRequest: Fields }

const at = (millis: number) => new Date(START_MILLIS + millis).toISOString()
const HOUR = 3_600_000

/** A real quote with altered fields, correctly signed. */
const altered = Effect.fnUntraced(function* (change: (response: Response) => Fields, fields: Fields = {}) {
  const { quote, standIn } = yield* TestBridge
  yield* quote(fields)
  const { asked } = standIn.calls("quote").at(-1)!
  const response = yield* Effect.promise(async (): Promise<Response> => {
    const answer = await fetch(`${standIn.url}/v0/quote`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${API_KEY}` },
      body: JSON.stringify({ ...asked, dry: false }),
    })
    return JSON.parse(await answer.text())
  })
  const body = signed(standIn.key, { ...response, ...change(response) })
  standIn.trouble({ status: 201, body }, { call: "quote", times: 1 })
  return yield* quote({ dry: false, ...fields })
})

const withQuote = (fields: Fields) => (response: Response) => ({ quote: { ...response.quote, ...fields } })

layer(TestBridge.layer())("An unsound quote", (it) => {
  const REFUSED: ReadonlyArray<readonly [what: string, quote: Fields, reason: RegExp]> = [
    ["whose address ends before it may be paid", { deadline: at(1_799_000) }, /quote.deadline is inconsistent/],
    ["whose address never ends", { deadline: at(31 * 24 * HOUR) }, /quote.deadline is unsound/],
    ["with a memo that cannot be sent back", { depositMemo: "m".repeat(257) }, /quote.depositMemo is unsound/],
    ["with a memo that holds NUL", { depositMemo: "a\u0000b" }, /quote.depositMemo is unsound/],
    ["that takes longer than a day", { timeEstimate: 86_401 }, /quote.timeEstimate is inconsistent/],
    ["that takes less than no time", { timeEstimate: -1 }, /quote.timeEstimate is inconsistent/],
    ["with a link for an address", { depositAddress: "javascript:alert-1-2" }, /quote.depositAddress is unsound/],
    ["with markup for an address", { depositAddress: `<a href="0123456789">` }, /quote.depositAddress is unsound/],
  ]
  for (const [what, quote, reason] of REFUSED) {
    it.effect(`${what} is refused`, () =>
      Effect.gen(function* () {
        const { body, status } = yield* altered(withQuote(quote))
        assert.deepStrictEqual([status, body.code], [502, "quote_not_trusted"])
        assert.match(body.message, reason)
      }),
    )
  }
})

layer(TestBridge.layer())("The terms of a quote", (it) => {
  it.effect("show amounts as decimals or null, and ids without characters that cannot be stored", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { body, status } = yield* altered((response) => ({
        ...withQuote({ amountInUsd: "<b>9</b>", amountOutUsd: 9, amountInFormatted: "10.0" })(response),
        correlationId: "c-\u0000\ud8001\u202e",
      }))
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepInclude(body.data, { amountInUsd: null, amountOutUsd: null, amountInFormatted: "10.0" })
      assert.strictEqual(body.data.correlationId, "c-1")
      const swap = (yield* request(`/api/bridge/swaps/${body.data.id}`)).body.data
      assert.strictEqual(swap.correlationId, "c-1")
    }),
  )

  it.effect("show the granted fees, not the requested ones, in the answer, the swap and its record", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const granted = [{ recipient: "app.near", fee: 25 }]
      const echoed = [...granted, { recipient: SERVICE_ACCOUNT, fee: 25 }]
      const { body } = yield* altered((response) => ({ quoteRequest: { ...response.quoteRequest, appFees: echoed } }), {
        appFees: [{ recipient: "app.near", fee: 50 }],
      })
      assert.deepInclude(body.data.fees, { appFees: granted, appFeeBps: 25, serviceFeeBps: 25 })
      const swap = (yield* request(`/api/bridge/swaps/${body.data.id}`)).body.data
      assert.deepStrictEqual(swap.appFees, granted)
      const record = (yield* request(`/api/transactions/${body.data.id}`)).body.transaction
      assert.strictEqual(record.fee, "25000")
    }),
  )

  it.effect("require a deadline between a minute and a day ahead", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      for (const deadline of [at(59_999), at(24 * HOUR + 1), at(-1)]) {
        const { body, status } = yield* quote({ deadline })
        assert.strictEqual(status, 400)
        assert.strictEqual(body.issues[0].path, "body.deadline")
        assert.match(body.issues[0].message, /at least 1 minute and at most 24 hours ahead/)
      }
      for (const deadline of [at(60_000), at(24 * HOUR)]) assert.strictEqual((yield* quote({ deadline })).status, 200)
    }),
  )
})

layer(TestBridge.layer())("A deposit address that several quotes get at the same time", (it) => {
  it.effect("belongs to one swap: the other quotes are refused", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const sql = yield* SqlClient
      const first = yield* altered((response) => response)
      assert.strictEqual(first.status, 200)
      const { response } = standIn.swapAt(first.body.data.depositAddress)
      const depositAddress = `another-${first.body.data.depositAddress}`
      const body = signed(standIn.key, { ...response, quote: { ...response.quote, depositAddress } })
      standIn.trouble({ status: 201, body }, { call: "quote", times: 8 })
      const all = Effect.all(
        Array.from({ length: 8 }, (_, index) => quote({ dry: false }, { "idempotency-key": `at-once-${index}` })),
        { concurrency: 8 },
      )
      // Locks the rows until several requests are about to write theirs.
      const asking = yield* Effect.gen(function* () {
        yield* sql`lock table bridge_swaps in share mode`
        const fiber = yield* Effect.forkChild(all)
        // Within a transaction, the statistics view keeps its first result.
        const refreshed = sql`select pg_stat_clear_snapshot()`
        const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        while ((yield* Effect.andThen(refreshed, waiting)).length < 2) continue
        return fiber
      }).pipe(sql.withTransaction)
      const answers = yield* Fiber.join(asking)
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(502)])
      for (const { body: refused, status } of answers)
        if (status === 502) assert.match(refused.message, /quote.depositAddress is that of another swap/)
      assert.lengthOf(yield* sql`select from bridge_swaps where deposit_address = ${depositAddress}`, 1)
    }),
  )

  it.effect("has no memo when the memo is an empty string", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { body, status } = yield* altered(withQuote({ depositMemo: "" }))
      assert.deepStrictEqual([status, body.data?.depositMemo], [200, null], JSON.stringify(body))
      const found = yield* request(`/api/bridge/status/${body.data.depositAddress}`)
      assert.deepInclude(found.body.data, { id: body.data.id, depositMemo: null })
      const memoless = yield* altered(withQuote({ depositMemo: "" }), {
        ...{ originAsset: XLM, refundTo: STELLAR_USER, amount: "1000000000" },
      })
      assert.match(memoless.body.message, /quote.depositMemo is missing/)
    }),
  )
})

layer(TestBridge.layer())("A swap is found", (it) => {
  it.effect("by an EVM address in any case, as deposit address and as user", () =>
    Effect.gen(function* () {
      const { report, standIn, step, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const fields = {
        originAsset: USDC_ON_ARB,
        destinationAsset: USDC_ON_SOL,
        recipient: SOL_USER,
        refundTo: EVM_USER,
      }
      const { depositAddress, id } = yield* swap(fields)
      assert.match(depositAddress, /^0x[0-9a-f]{40}$/)
      const shouted = `0x${depositAddress.slice(2).toUpperCase()}`
      assert.strictEqual((yield* request(`/api/bridge/status/${shouted}`)).body.data.id, id)
      assert.strictEqual((yield* report(shouted, "a".repeat(64))).body.data.id, id)
      yield* step
      assert.strictEqual(standIn.calls("submit").at(-1)!.asked.depositAddress, depositAddress)
      for (const query of [
        `userAddress=${EVM_USER}`,
        `userAddress=${EVM_USER.toLowerCase()}`,
        `depositAddress=${shouted}`,
      ]) {
        const { data } = (yield* request(`/api/bridge/swaps?${query}`)).body
        assert.deepStrictEqual(
          data.map((one: { id: string; userAddress: string }) => [one.id, one.userAddress]),
          [[id, EVM_USER]],
        )
      }
      // The record of the swap is listed by any spelling too, and by users of other chains.
      yield* swap({ ...fields, userAddress: "maria.near" })
      for (const user of [EVM_USER, EVM_USER.toLowerCase(), "maria.near"]) {
        const { transactions } = (yield* request(`/api/transactions?userAddress=${user}`)).body
        assert.deepStrictEqual(
          transactions.map((one: { userAddress: string }) => one.userAddress),
          [user.toLowerCase()],
        )
        assert.deepStrictEqual((yield* request(`/api/transactions/user/${user}`)).body.transactions, transactions)
      }
      const other = yield* swap()
      const swapped = other.depositAddress.replace(/[a-z]/, (letter) => letter.toUpperCase())
      assert.strictEqual((yield* request(`/api/bridge/status/${swapped}`)).status, 404)
    }),
  )

  it.effect("without a memo when that is null or empty, but not where swaps share an address", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const { request } = yield* TestServer
      const { depositAddress, id } = yield* swap()
      assert.strictEqual((yield* request(`/api/bridge/status/${depositAddress}?memo=`)).body.data?.id, id)
      const body = { depositAddress, memo: null, txHash: "b".repeat(64) }
      assert.strictEqual((yield* request("/api/bridge/deposit", { json: body })).body.data?.id, id)
      const shared = yield* swap({ originAsset: XLM, refundTo: STELLAR_USER, amount: "1000000000" })
      const without = yield* request("/api/bridge/deposit", {
        json: { ...body, depositAddress: shared.depositAddress },
      })
      assert.strictEqual(without.body.issues[0].path, "body.memo")
    }),
  )

  it.effect("expired and not payable from the first of its two deadlines on", () =>
    Effect.gen(function* () {
      const { read, step, swap } = yield* TestBridge
      const sql = yield* SqlClient
      const { id } = yield* swap()
      yield* sql`update bridge_swaps set inactive_at = ${new Date(START_MILLIS + 600_000)} where id = ${id}::uuid`
      assert.isTrue((yield* read(id)).isPayable)
      yield* TestClock.adjust("10 minutes")
      assert.isFalse((yield* read(id)).isPayable)
      yield* step
      assert.deepInclude(yield* read(id), { status: "failed", substatus: "expired", needsReview: false })
    }),
  )
})
