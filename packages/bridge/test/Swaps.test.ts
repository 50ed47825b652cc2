import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../service/test/TestServer.ts"
import { depositedDetails } from "./IntentsTimeline.ts"
import { API_KEY, quoteBody, START_MILLIS, TestBridge, USDC_ON_ARB, USDC_ON_SOL } from "./TestBridge.ts"

layer(TestBridge.layer())("The assets", (it) => {
  it.effect("are listed with exact prices, and can be filtered by chain and text", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { body, status } = yield* request("/api/bridge/tokens")
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { stale: false, asOf: new Date(START_MILLIS).toISOString() })
      assert.deepStrictEqual(
        body.data.find(({ assetId }: { assetId: string }) => assetId === USDC_ON_SOL),
        {
          assetId: USDC_ON_SOL,
          blockchain: "sol",
          symbol: "USDC",
          decimals: 6,
          contractAddress: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
          price: "0.9998",
          priceUpdatedAt: new Date(START_MILLIS).toISOString(),
          coingeckoId: "usd-coin",
        },
      )
      const some = (yield* request("/api/bridge/tokens?chain=ARB&search=usd")).body.data
      assert.deepStrictEqual(
        some.map(({ assetId }: { assetId: string }) => assetId),
        [USDC_ON_ARB],
      )
      assert.deepStrictEqual((yield* request("/api/bridge/tokens?chain=nowhere")).body.data, [])
      assert.strictEqual((yield* request("/api/bridge/tokens?chain=a%20b")).status, 400)
    }),
  )

  it.effect("are fetched at most once in five minutes, and served stale from the database during an outage", () =>
    Effect.gen(function* () {
      const { standIn } = yield* TestBridge
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const before = standIn.calls("tokens").length
      yield* TestClock.adjust("4 minutes")
      yield* Effect.all(
        Array.from({ length: 8 }, () => request("/api/bridge/tokens")),
        { concurrency: 8 },
      )
      assert.lengthOf(standIn.calls("tokens"), before)
      standIn.isAway = true
      yield* TestClock.adjust("2 minutes")
      const old = yield* request("/api/bridge/tokens")
      assert.deepInclude(old.body, { stale: true, asOf: new Date(START_MILLIS).toISOString() })
      assert.isNotEmpty(old.body.data)
      assert.lengthOf(standIn.calls("tokens"), before + 1)
      standIn.recover()
      yield* TestClock.adjust("1 minute")
      const fresh = yield* request("/api/bridge/tokens")
      assert.isFalse(fresh.body.stale)
      assert.lengthOf(yield* sql`select from bridge_upstream where assets is not null`, 1)
    }),
  )
})

it.effect("Without any earlier list, assets are unavailable", () =>
  Effect.gen(function* () {
    const { standIn } = yield* TestBridge
    const { request } = yield* TestServer
    standIn.isAway = true
    const answer = yield* request("/api/bridge/tokens")
    assert.deepInclude([answer.status, answer.body.code], "upstream_unavailable")
    assert.strictEqual(answer.status, 503)
  }).pipe(Effect.provide(TestBridge.layer())),
)

layer(TestBridge.layer())("The swaps", (it) => {
  it.effect("of a user are listed newest first, in pages, and filtered by status and address", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const { request } = yield* TestServer
      const ids: Array<string> = []
      for (let at = 0; at < 5; at++) {
        ids.unshift((yield* swap({ userAddress: "maria" })).id)
        yield* TestClock.adjust("1 second")
      }
      const other = yield* swap({ userAddress: "somebody-else" })
      const list = Effect.fn(function* (query: string) {
        const { body } = yield* request(`/api/bridge/swaps?${query}`)
        return { ids: body.data?.map(({ id }: { id: string }) => id), pagination: body.pagination, code: body.code }
      })
      assert.deepStrictEqual(yield* list("userAddress=maria"), {
        ids,
        pagination: { limit: 100, nextCursor: null },
        code: undefined,
      })
      const first = yield* list("userAddress=maria&limit=2")
      assert.deepStrictEqual(first.ids, ids.slice(0, 2))
      const second = yield* list(`userAddress=maria&limit=2&cursor=${first.pagination.nextCursor}`)
      assert.deepStrictEqual(second.ids, ids.slice(2, 4))
      const third = yield* list(`userAddress=maria&limit=2&cursor=${second.pagination.nextCursor}`)
      assert.deepStrictEqual(third, { ids: ids.slice(4), pagination: { limit: 2, nextCursor: null }, code: undefined })
      assert.deepStrictEqual((yield* list("userAddress=maria&limit=2&offset=4")).ids, ids.slice(4))
      assert.deepStrictEqual((yield* list("userAddress=maria&status=success")).ids, [])
      assert.lengthOf((yield* list("status=pending")).ids, 6)
      assert.deepStrictEqual((yield* list(`depositAddress=${other.depositAddress}`)).ids, [other.id])
      assert.strictEqual((yield* list("status=done")).code, "invalid_request")
      assert.strictEqual((yield* list("cursor=abc")).code, "invalid_request")
    }),
  )

  it.effect("belong to the refund address when no user is named", () =>
    Effect.gen(function* () {
      const { read, swap } = yield* TestBridge
      const seen = yield* read((yield* swap()).id)
      assert.strictEqual(seen.userAddress, quoteBody().refundTo)
    }),
  )

  it.effect("are not found by an unknown id or address", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const unknown = yield* request("/api/bridge/status/nobody-was-given-this")
      assert.deepInclude([unknown.status, unknown.body.code], "not_found")
      const id = yield* request("/api/bridge/swaps/00000000-0000-7000-8000-000000000000")
      assert.strictEqual(id.body.code, "not_found")
    }),
  )

  it.effect("that nobody paid in time are polled when a client reads them, and otherwise every half an hour", () =>
    Effect.gen(function* () {
      const { read, standIn, step, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const [asked, unasked] = [yield* swap(), yield* swap()]
      yield* TestClock.adjust("100 minutes")
      while ((yield* step) > 0) continue
      for (const { depositAddress, id } of [asked, unasked]) {
        assert.strictEqual((yield* read(id)).substatus, "expired")
        const { quote } = standIn.swapAt(depositAddress).response
        standIn.tell(depositAddress, [{ status: "PROCESSING", swapDetails: depositedDetails(quote) }])
      }
      yield* TestClock.adjust("10 seconds")
      yield* request(`/api/bridge/status/${asked.depositAddress}`)
      assert.strictEqual(yield* step, 1)
      assert.deepInclude(yield* read(asked.id), { status: "pending", substatus: "processing" })
      assert.strictEqual((yield* read(unasked.id)).substatus, "expired")
      yield* TestClock.adjust("30 minutes")
      while ((yield* step) > 0) continue
      assert.deepInclude(yield* read(unasked.id), { status: "pending", substatus: "processing" })
    }),
  )

  it.effect(
    "that nobody paid are polled at most every ten seconds when clients read them, and less often during an outage",
    () =>
      Effect.gen(function* () {
        const { standIn, step, swap } = yield* TestBridge
        const { request } = yield* TestServer
        const { depositAddress } = yield* swap()
        yield* TestClock.adjust("25 minutes")
        while ((yield* step) > 0) continue
        const pollCount = () =>
          standIn.calls("status").filter(({ asked }) => asked.depositAddress === depositAddress).length
        const asking = Effect.fnUntraced(function* (seconds: number) {
          const before = pollCount()
          for (let at = 0; at < seconds; at++) {
            yield* request(`/api/bridge/status/${depositAddress}`)
            yield* TestClock.adjust("1 second")
            while ((yield* step) > 0) continue
          }
          return pollCount() - before
        })
        assert.strictEqual(yield* asking(30), 3)
        standIn.trouble({ status: 400 }, { call: "status", address: depositAddress })
        // 4, 8, 16, 32 and 64 seconds apart, each a quarter less or more.
        assert.isAtMost(yield* asking(150), 6)
        standIn.recover()
      }),
  )

  it.effect("keep a deposit once it is seen, even when a later answer leaves it out or is unreadable", () =>
    Effect.gen(function* () {
      const { pass, read, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      const { quote } = standIn.swapAt(depositAddress).response
      standIn.tell(depositAddress, [
        { status: "PROCESSING", swapDetails: depositedDetails(quote) },
        { afterPolls: 1, status: "PROCESSING" },
        { afterPolls: 2, status: "404" },
      ])
      yield* pass(40)
      const seen = yield* read(id)
      assert.deepInclude(seen, { substatus: "processing", depositedAmount: "10000000", stale: false })
      assert.lengthOf(seen.originTxs, 1)
      for (const trouble of ["html", "malformed_json", "other_shape", "cut", "reset"] as const) {
        standIn.trouble(trouble, { call: "status", address: depositAddress, times: 1 })
        yield* pass(70)
      }
      standIn.trouble({ status: 400 }, { call: "status", address: depositAddress })
      yield* pass(70)
      const { lastCheckedAt: _, ...after } = yield* read(id)
      assert.deepInclude(after, { status: "pending", substatus: "processing", stale: true, timeline: seen.timeline })
      standIn.recover()
      yield* pass(300)
      assert.isFalse((yield* read(id)).stale)
    }),
  )
})

it.effect("A swap that needs review and an unknown status are logged once each, without the key", () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ fiber, message }) => {
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    lines.push(`${String(message)} ${JSON.stringify(annotations)}`)
  })
  return Effect.gen(function* () {
    const { pass, standIn, swap } = yield* TestBridge
    const [odd, contradicting] = [yield* swap(), yield* swap()]
    standIn.tell(odd.depositAddress, [{ status: "ON_HOLD" }])
    standIn.tell(contradicting.depositAddress, [{ status: "SUCCESS" }])
    yield* pass(120)
    const about = (id: string) => lines.filter((line) => line.includes(id))
    assert.lengthOf(about(odd.id), 1)
    assert.match(about(odd.id)[0]!, /unknown status.*ON_HOLD/)
    assert.lengthOf(about(contradicting.id), 1)
    assert.match(about(contradicting.id)[0]!, /needs review/)
    assert.notInclude(lines.join("\n"), API_KEY)
  }).pipe(
    Effect.provide(TestBridge.layer({ observation: Layer.mergeAll(Logger.layer([logger])) })),
    Effect.provide(Logger.layer([logger])),
  )
})

layer(TestServer.layer())("With bridging switched off", (it) => {
  it.effect("every route says so and why, after reporting what is wrong with the request", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const address = "a".repeat(40)
      const calls = [
        request("/api/bridge/tokens"),
        request("/api/bridge/quote", { json: quoteBody() }),
        request("/api/bridge/deposit", { json: { depositAddress: address, txHash: address } }),
        request(`/api/bridge/status/${address}`),
        request("/api/bridge/swaps"),
        request("/api/bridge/swaps/00000000-0000-7000-8000-000000000000"),
      ]
      for (const { body, status } of yield* Effect.all(calls)) {
        assert.strictEqual(status, 503)
        assert.strictEqual(body.code, "not_configured")
        assert.match(body.message, /INTENTS_URL/)
      }
      assert.strictEqual((yield* request("/api/bridge/quote", { json: {} })).status, 400)
    }),
  )
})
