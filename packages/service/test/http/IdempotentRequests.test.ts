import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { transactionDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { databaseAside, untilRows } from "../../../http/test/DatabaseAside.ts"
import { newKey } from "./PostRequests.ts"

const PATH = "/api/transactions"

/** A record sent under a key, the same each time. */
const sender = Effect.gen(function* () {
  const { request } = yield* TestServer
  const sql = yield* SqlClient
  const json = transactionDraft()
  const headers = newKey()
  return {
    headers,
    send: request(PATH, { json, headers }),
    sendOther: request(PATH, { json: transactionDraft(), headers }),
    records: sql`select id from transactions where tx_hash = ${json.txHash}`,
  }
})

/** A locked table of records. */
const heldRecords = Effect.gen(function* () {
  const { hold, sql, waiting } = yield* databaseAside
  const claims = sql<{ readonly claim: string; readonly leaseUntil: Date }>`
    select claim, lease_until from idempotent_requests where state = 'in_flight'`
  return { sql, claims, inserting: waiting("insert into transactions"), letGo: yield* hold("transactions") }
})

layer(TestServer.layer(), { excludeTestServices: true })("Of requests with one key", (it) => {
  it.effect("one is done, and the others get 409 while it is in flight", () =>
    Effect.gen(function* () {
      const { records, send } = yield* sender
      const { inserting, letGo } = yield* heldRecords
      const first = yield* Effect.forkChild(send)
      yield* untilRows(inserting)
      const others = yield* Effect.all(
        Array.from({ length: 19 }, () => send),
        { concurrency: 19 },
      )
      for (const { body, headers, status } of others) {
        assert.deepStrictEqual([status, body.code], [409, "request_in_flight"])
        assert.strictEqual(headers.get("retry-after"), "1")
      }
      yield* letGo
      const answer = yield* Fiber.join(first)
      assert.strictEqual(answer.status, 201)
      assert.deepStrictEqual((yield* send).body, answer.body)
      assert.lengthOf(yield* records, 1)
    }),
  )

  it.effect("one that outlives its lease commits nothing once another has claimed the key", () =>
    Effect.gen(function* () {
      const { records, send } = yield* sender
      const { claims, inserting, letGo, sql } = yield* heldRecords
      const slow = yield* Effect.forkChild(send)
      yield* untilRows(inserting)
      const [own] = yield* claims
      // Its claim may be renewed meanwhile.
      const next = yield* Effect.forkChild(
        Effect.repeat(
          Effect.andThen(
            sql`update idempotent_requests set lease_until = now() where claim = ${own!.claim}::uuid`,
            send,
          ),
          { until: ({ status }) => status !== 409 },
        ),
      )
      yield* untilRows(Effect.map(inserting, (rows) => (rows.length === 2 ? rows : [])))
      yield* letGo
      const late = yield* Fiber.join(slow)
      const answer = yield* Fiber.join(next)
      // By then the other request may have its answer.
      assert.include([201, 409], late.status)
      if (late.status === 201) assert.deepStrictEqual(late.body, answer.body)
      assert.strictEqual(answer.status, 201)
      assert.isNull(answer.headers.get("idempotency-replayed"))
      const [record, ...more] = yield* records
      assert.deepStrictEqual([record, more], [{ id: answer.body.transaction.id }, []])
      assert.deepStrictEqual((yield* send).body, answer.body)
    }),
  )

  it.effect("one that fails after another has claimed the key releases only its own claim", () =>
    Effect.gen(function* () {
      const { claims, inserting, letGo, sql } = yield* heldRecords
      const { records, send } = yield* sender
      const slow = yield* Effect.forkChild(send)
      const [backend] = yield* untilRows(inserting)
      const [own] = yield* claims
      const next = yield* Effect.forkChild(
        Effect.repeat(
          Effect.andThen(
            sql`update idempotent_requests set lease_until = now() where claim = ${own!.claim}::uuid`,
            send,
          ),
          { until: ({ status }) => status !== 409 },
        ),
      )
      yield* untilRows(Effect.map(inserting, (rows) => (rows.length === 2 ? rows : [])))
      yield* sql`select pg_terminate_backend(${backend!.pid})`
      assert.strictEqual((yield* Fiber.join(slow)).status, 503)
      assert.strictEqual((yield* send).status, 409)
      yield* letGo
      assert.strictEqual((yield* Fiber.join(next)).status, 201)
      assert.lengthOf(yield* records, 1)
    }),
  )

  it.effect("one renews its claim for as long as it runs", () =>
    Effect.gen(function* () {
      const { send } = yield* sender
      const { claims, inserting, letGo } = yield* heldRecords
      const slow = yield* Effect.forkChild(send)
      yield* untilRows(inserting)
      const [own] = yield* claims
      const isLater = (row: { readonly leaseUntil: Date }) => row.leaseUntil.getTime() > own!.leaseUntil.getTime()
      yield* untilRows(Effect.map(claims, (rows) => rows.filter(isLater)))
      yield* letGo
      assert.strictEqual((yield* Fiber.join(slow)).status, 201)
    }),
  )

  it.effect("one whose client disconnects leaves the key free, or its answer", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const { headers, records, send } = yield* sender
      const { claims, inserting, letGo, sql } = yield* heldRecords
      const going = new AbortController()
      const json = transactionDraft()
      const gone = fetch(`${url}${PATH}`, {
        ...{ method: "POST", signal: going.signal, body: JSON.stringify(json) },
        headers: { "content-type": "application/json", ...headers },
      }).then(
        () => "answered",
        () => "gone",
      )
      yield* untilRows(inserting)
      going.abort()
      assert.strictEqual(yield* Effect.promise(() => gone), "gone")
      yield* untilRows(Effect.map(claims, (rows) => (rows.length === 0 ? [{}] : [])))
      yield* letGo
      // Another body: the first request is forgotten.
      assert.strictEqual((yield* send).status, 201)
      assert.lengthOf(yield* records, 1)
      assert.lengthOf(yield* sql`select id from transactions where tx_hash = ${json.txHash}`, 0)
    }),
  )

  for (const table of ["idempotent_requests", "transactions"])
    it.effect(`one whose connection breaks while it writes ${table} is answered 503, and done when it is retried`, () =>
      Effect.gen(function* () {
        const { hold, sql, waiting } = yield* databaseAside
        const { records, send } = yield* sender
        const letGo = yield* hold(table)
        const broken = yield* Effect.forkChild(send)
        const [backend] = yield* untilRows(waiting(`insert into ${table}`))
        yield* sql`select pg_terminate_backend(${backend!.pid})`
        const { body, headers, status } = yield* Fiber.join(broken)
        assert.deepStrictEqual([status, body.details?.service], [503, "database"])
        assert.isNotNull(headers.get("retry-after"))
        yield* letGo
        const answer = yield* Effect.repeat(send, { until: (again) => again.status !== 409 })
        assert.strictEqual(answer.status, 201)
        assert.lengthOf(yield* records, 1)
      }),
    )
})

layer(TestServer.layer())("A key", (it) => {
  it.effect("belongs to its request for 24 hours", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { records, send, sendOther } = yield* sender
      const first = yield* send
      const age = (text: string) => sql`update idempotent_requests set created_at = now() - ${text}::interval`
      yield* age("23 hours 59 minutes")
      assert.deepStrictEqual((yield* send).body, first.body)
      assert.strictEqual((yield* sendOther).status, 422)
      yield* age("24 hours")
      const other = yield* sendOther
      assert.strictEqual(other.status, 201)
      assert.isNull(other.headers.get("idempotency-replayed"))
      assert.strictEqual((yield* send).status, 422)
      assert.lengthOf(yield* records, 1)
    }),
  )

  it.effect("of a crashed process belongs to its request until the lease ends, and to no other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { records, send, sendOther } = yield* sender
      const first = yield* send
      // As a crashed process leaves it: a claim, and no write.
      yield* sql`delete from transactions where id = ${first.body.transaction.id}::uuid`
      const leave = (lease: string) => sql`
        update idempotent_requests set state = 'in_flight', lease_until = now() + ${lease}::interval, status = null, body = null`
      yield* leave("1 minute")
      assert.strictEqual((yield* send).status, 409)
      assert.strictEqual((yield* sendOther).status, 422)
      yield* leave("0 seconds")
      assert.strictEqual((yield* sendOther).status, 422)
      const again = yield* send
      assert.strictEqual(again.status, 201)
      assert.notStrictEqual(again.body.transaction.id, first.body.transaction.id)
      assert.lengthOf(yield* records, 1)
    }),
  )
})
