import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { SOL, sampleAddress, transactionDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

const create = Effect.fn(function* (fields: Readonly<Record<string, unknown>> = {}) {
  const { request } = yield* TestServer
  const answer = yield* request("/api/transactions", { json: transactionDraft(fields) })
  assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.transaction
})

const setStatus = (id: string, json: unknown) =>
  Effect.flatMap(TestServer, ({ request }) => request(`/api/transactions/${id}/status`, { method: "PATCH", json }))

const ids = (transactions: ReadonlyArray<{ readonly id: string }>) => transactions.map(({ id }) => id)

layer(TestServer.layer())("Recording transactions", (it) => {
  it.effect("returns the full record under transaction, with numbers as strings and the chain in lower case", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const draft = transactionDraft()
      const { body, status } = yield* request("/api/transactions", { json: draft })
      assert.strictEqual(status, 201)
      const { createdAt, id, updatedAt, ...record } = body.transaction
      assert.deepStrictEqual(record, {
        ...draft,
        amountIn: "1.5",
        amountOut: "1000",
        pricePerToken: "0.0015",
        slippageBps: "100",
        fee: "0.01",
        chain: "solana",
        amountInDecimals: 0,
        amountOutDecimals: 0,
        feeDecimals: 0,
        statusReason: null,
        lastValidBlockHeight: null,
      })
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.match(createdAt, /T.*\.\d{3}Z$/)
      assert.strictEqual(updatedAt, createdAt)
      assert.deepStrictEqual((yield* request(`/api/transactions/${id}`)).body.transaction, body.transaction)
    }),
  )

  it.effect("keeps every digit of amounts, sent as numbers or as strings", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const cases: ReadonlyArray<readonly [written: string, kept: string]> = [
        ["18446744073709551615", "18446744073709551615"],
        ["1e-18", "0.000000000000000001"],
        ["0.1000", "0.1"],
        ['"340282366920938463463374607431768211455"', "340282366920938463463374607431768211455"],
        ["123456789.123456789123456789", "123456789.123456789123456789"],
        ["0", "0"],
      ]
      for (const [written, kept] of cases) {
        const raw = JSON.stringify(transactionDraft({ amountIn: "@" })).replace('"@"', written)
        const { body, status } = yield* request("/api/transactions", {
          raw,
          headers: { "content-type": "application/json" },
        })
        assert.strictEqual(status, 201, JSON.stringify(body))
        assert.strictEqual(body.transaction.amountIn, kept)
      }
    }),
  )

  it.effect("refuses BRIDGE, DEPLOY and final statuses from clients", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const fields of [{ action: "BRIDGE" }, { action: "DEPLOY" }, { status: "success" }]) {
        const { body, status } = yield* request("/api/transactions", { json: transactionDraft(fields) })
        assert.strictEqual(status, 400)
        assert.strictEqual(body.issues[0].path, `body.${Object.keys(fields)[0]}`)
      }
    }),
  )

  it.effect("moves pending to a final status once, and repeating it changes nothing", () =>
    Effect.gen(function* () {
      const record = yield* create()
      yield* TestClock.adjust("1 second")
      const moved = yield* setStatus(record.id, { status: "success", txHash: "final-hash" })
      assert.strictEqual(moved.status, 200)
      assert.strictEqual(moved.body.transaction.status, "success")
      assert.strictEqual(moved.body.transaction.txHash, "final-hash")
      assert.isTrue(moved.body.transaction.updatedAt > record.updatedAt)
      yield* TestClock.adjust("1 second")
      const again = yield* setStatus(record.id, { status: "success" })
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(again.body.transaction, moved.body.transaction)
      const other = yield* setStatus(record.id, { status: "failed" })
      assert.strictEqual(other.status, 409)
      assert.deepInclude(other.body.details, { id: record.id, status: "success" })
      assert.strictEqual((yield* setStatus(record.id, { status: "pending" })).status, 400)
    }),
  )

  it.effect("stores or refuses the hash of a repeated status, and never ignores it", () =>
    Effect.gen(function* () {
      const record = yield* create({ txHash: "first" })
      const moved = yield* setStatus(record.id, { status: "success", txHash: "second" })
      assert.strictEqual(moved.body.transaction.txHash, "second")
      yield* TestClock.adjust("1 second")
      for (const change of [{ status: "success" }, { status: "success", txHash: "second" }]) {
        const again = yield* setStatus(record.id, change)
        assert.strictEqual(again.status, 200)
        assert.deepStrictEqual(again.body.transaction, moved.body.transaction)
      }
      const refused = yield* setStatus(record.id, { status: "success", txHash: "third" })
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.body.code, "record_fixed")
      assert.include(refused.body.message, "second")
      assert.include(refused.body.message, "third")
      const other = yield* setStatus(record.id, { status: "failed", txHash: "third" })
      assert.strictEqual(other.body.code, "record_fixed")
      const failed = yield* create()
      yield* setStatus(failed.id, { status: "failed" })
      const { body } = yield* setStatus(failed.id, { status: "failed", txHash: "another" })
      assert.strictEqual(body.code, "record_fixed")
      assert.isNull((yield* setStatus(failed.id, { status: "failed" })).body.transaction.statusReason)
    }),
  )

  it.effect("leaves the status of launches and bridge transfers to the service", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const [action, word] of [
        ["DEPLOY", "launch"],
        ["BRIDGE", "swap"],
      ] as const) {
        const record = yield* create()
        yield* sql`update transactions set action = ${action} where id = ${record.id}::uuid`
        const { body, status } = yield* setStatus(record.id, { status: "success" })
        assert.strictEqual(status, 409)
        assert.strictEqual(body.code, "record_fixed")
        assert.include(body.message, word)
      }
    }),
  )

  it.effect("keeps the last valid block height, a u64 to its last digit", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const cases: ReadonlyArray<readonly [written: string, kept: string | undefined]> = [
        ["18446744073709551615", "18446744073709551615"],
        ['"18446744073709551614"', "18446744073709551614"],
        ["0", "0"],
        ["4e8", "400000000"],
        ["18446744073709551616", undefined],
        ["-1", undefined],
        ["1.5", undefined],
        ['"soon"', undefined],
        ['""', undefined],
        ["true", undefined],
      ]
      for (const [written, kept] of cases) {
        const raw = JSON.stringify(transactionDraft({ lastValidBlockHeight: "@" })).replace('"@"', written)
        const headers = { "content-type": "application/json" }
        const { body, status } = yield* request("/api/transactions", { raw, headers })
        assert.strictEqual(status, kept === undefined ? 400 : 201, written)
        if (kept === undefined) assert.strictEqual(body.issues[0].path, "body.lastValidBlockHeight", written)
        else assert.strictEqual(body.transaction.lastValidBlockHeight, kept)
      }
    }),
  )

  it.effect("keeps the decimals that amounts were sent with", () =>
    Effect.gen(function* () {
      const record = yield* create({ amountInDecimals: 9, amountOutDecimals: "6", feeDecimals: 255 })
      assert.deepInclude(record, { amountInDecimals: 9, amountOutDecimals: 6, feeDecimals: 255 })
      const { request } = yield* TestServer
      for (const amountInDecimals of [-1, 256, 1.5, "six", ""]) {
        const { body, status } = yield* request("/api/transactions", { json: transactionDraft({ amountInDecimals }) })
        assert.strictEqual(status, 400)
        assert.strictEqual(body.issues[0].path, "body.amountInDecimals")
      }
    }),
  )

  it.effect("lets exactly one of two concurrent updates win", () =>
    Effect.gen(function* () {
      const record = yield* create()
      const statuses = ["success", "failed", "success", "failed"]
      const answers = yield* Effect.all(
        statuses.map((status) => setStatus(record.id, { status })),
        { concurrency: 4 },
      )
      const accepted = answers.filter(({ status }) => status === 200).map(({ body }) => body.transaction.status)
      assert.lengthOf(accepted, 2)
      assert.lengthOf(new Set(accepted), 1)
    }),
  )

  it.effect("hides a deleted record from every read", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const record = yield* create()
      const deleted = yield* request(`/api/transactions/${record.id}`, { method: "DELETE" })
      assert.deepStrictEqual(deleted.body.data, { deleted: true })
      assert.strictEqual((yield* request(`/api/transactions/${record.id}`)).status, 404)
      assert.strictEqual((yield* setStatus(record.id, { status: "success" })).status, 404)
      assert.deepStrictEqual((yield* request(`/api/transactions/user/${record.userAddress}`)).body.transactions, [])
    }),
  )
})

layer(TestServer.layer())("Finding transactions", (it) => {
  it.effect("filters by every documented field and pages the list", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const [user, token] = [sampleAddress(), sampleAddress()]
      const buy = yield* create({ userAddress: user, baseToken: token })
      const sell = yield* create({ action: "SELL", userAddress: user, chain: "other_chain" })
      const third = yield* create({ baseToken: SOL, quoteToken: token })
      yield* setStatus(third.id, { status: "failed" })
      const cases: ReadonlyArray<readonly [query: string, expected: ReadonlyArray<string>]> = [
        [`userAddress=${user}`, [sell.id, buy.id]],
        [`userAddress=${user}&action=BUY`, [buy.id]],
        ["action=SELL", [sell.id]],
        [`baseToken=${token}`, [buy.id]],
        [`quoteToken=${token}`, [third.id]],
        ["status=failed", [third.id]],
        ["status=success", []],
        ["chain=OTHER_chain", [sell.id]],
        ["chain=solana&status=pending&action=BUY", [buy.id]],
        ["limit=2", [third.id, sell.id]],
        ["limit=1&offset=1", [sell.id]],
        ["offset=2", [buy.id]],
      ]
      for (const [query, expected] of cases) {
        const { body, status } = yield* request(`/api/transactions?${query}`)
        assert.strictEqual(status, 200, query)
        assert.deepStrictEqual(ids(body.transactions), expected, query)
      }
      assert.deepStrictEqual((yield* request("/api/transactions")).body.pagination, { limit: 100, nextCursor: null })
      const ofUser = yield* request(`/api/transactions/user/${user}`)
      assert.deepStrictEqual(ids(ofUser.body.transactions), [sell.id, buy.id])
      assert.isUndefined(ofUser.body.pagination)
      const ofToken = yield* request(`/api/transactions/token/${token}`)
      assert.deepStrictEqual(ids(ofToken.body.transactions), [third.id, buy.id])
    }),
  )
})
