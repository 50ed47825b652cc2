import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { formOf, storedRows, UPLOAD_PATH } from "../../ipfs/test/images/UploadForms.ts"
import { noisePng } from "./NoisePng.ts"
import { tokenDraft, transactionDraft } from "./Samples.ts"
import { type Answer, TestServer } from "./TestServer.ts"

type WriteCaps = NonNullable<NonNullable<Parameters<typeof TestServer.layer>[0]>["limits"]>["writes"]

/** Behind a proxy, so that there are several clients. */
const limits = (writes: WriteCaps) => ({ ...(writes && { writes }), addresses: { trustedProxies: ["127.0.0.0/8"] } })

const from = (client: number) => ({ "x-forwarded-for": `192.0.2.${client}` })

/** Nothing that replicas are asked asks the chain. */
const NO_CHAIN = { rpcUrl: "http://127.0.0.1:1" }

/** Two servers on one database, each with connections of its own, and the database. */
const replicas = Effect.fnUntraced(function* (writes: WriteCaps) {
  const name = yield* TestDatabase.migrated
  const start = Effect.suspend(() =>
    Layer.build(TestServer.layer({ ...NO_CHAIN, limits: limits(writes), database: TestDatabase.connectionsTo(name) })),
  )
  const servers = [yield* start, yield* start].map((context) => Context.get(context, TestServer))
  const database = yield* Layer.build(TestDatabase.connectionsTo(name))
  return { servers, sql: Context.get(database, SqlClient) }
})

/** Requests to two servers in turn, all at once. */
const atOnce = (count: number, send: (request: number) => Effect.Effect<Answer>) =>
  Effect.forEach(
    Array.from({ length: count }, (_, request) => request),
    send,
    { concurrency: "unbounded" },
  )

const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status).sort((a, b) => a - b)

const DAY_SECONDS = 86_400

it.effect("A client records and registers so much in a day, on however many replicas, and again on the next day", () =>
  Effect.gen(function* () {
    const { servers, sql } = yield* replicas({ writesPerDay: 5 })
    yield* TestClock.adjust("1 hour")
    const write = (client: number) => (request: number) =>
      servers[request % 2]!.request(request % 4 < 2 ? "/api/transactions" : "/api/tokens", {
        json: request % 4 < 2 ? transactionDraft() : tokenDraft(),
        headers: from(client),
      })
    const answers = yield* atOnce(12, write(1))
    assert.deepStrictEqual(statuses(answers), [201, 201, 201, 201, 201, 429, 429, 429, 429, 429, 429, 429])
    const refused = answers.find(({ status }) => status === 429)!
    assert.deepInclude(refused.body, { success: false, code: "limit_reached" })
    assert.strictEqual(refused.body.details.resource, "records_today")
    assert.strictEqual(refused.headers.get("retry-after"), String(DAY_SECONDS - 3_600))
    const [stored] = yield* sql`
      select (select count(*) from transactions)::integer + (select count(*) from tokens)::integer as records`
    assert.deepStrictEqual(stored, { records: 5 })
    assert.deepStrictEqual(statuses(yield* atOnce(2, write(2))), [201, 201])
    // What is refused for another reason does not count.
    const { request } = servers[0]!
    const draft = tokenDraft()
    const registrations = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () =>
      request("/api/tokens", { json: draft, headers: from(3) }),
    )
    assert.deepStrictEqual(statuses(registrations), [201, 409, 409, 409, 409, 409])
    assert.deepStrictEqual(statuses(yield* atOnce(5, write(3))), [201, 201, 201, 201, 429])
    yield* TestClock.adjust("23 hours")
    assert.deepStrictEqual(statuses(yield* atOnce(6, write(1))), [201, 201, 201, 201, 201, 429])
  }),
)

it.effect(
  "Uploads that replicas store at once never exceed the bytes of the store, which has room again once some are deleted",
  () =>
    Effect.gen(function* () {
      const images = Array.from({ length: 12 }, (_, seed) => noisePng(seed + 1, 60))
      const bytesMax = 3 * images[0]!.length + 1_000
      const { servers, sql } = yield* replicas({ storedBytes: bytesMax })
      const upload = (request: number) => servers[request % 2]!.request(UPLOAD_PATH, { raw: formOf(images[request]!) })
      const answers = yield* atOnce(12, upload)
      assert.deepStrictEqual(statuses(answers), [200, 200, 200, ...Array.from({ length: 9 }, () => 507)])
      const refused = answers.findIndex(({ status }) => status === 507)
      assert.strictEqual(answers[refused]!.body.code, "storage_full")
      assert.strictEqual(
        (yield* upload(answers.findIndex(({ status }) => status === 200))).status,
        200,
        "stored already",
      )
      const [stored] =
        yield* sql`select count(*)::integer as blocks, sum(length(bytes)) <= ${bytesMax} as fits from ipfs_blocks`
      assert.deepStrictEqual(stored, { blocks: 3, fits: true })
      yield* sql`delete from ipfs_uploads`
      assert.strictEqual((yield* upload(refused)).status, 200)
    }),
)

layer(TestServer.layer({ limits: limits({ writesPerDay: 3 }) }))("With caps on uploads", (it) => {
  const image = noisePng(1, 110)
  const upload = Effect.fn(function* (bytes: Uint8Array, client: number, key?: string) {
    const { request } = yield* TestServer
    return yield* request(UPLOAD_PATH, {
      raw: formOf(bytes),
      headers: { ...from(client), ...(key !== undefined && { "idempotency-key": key }) },
    })
  })

  it.effect("content that is stored already counts as well, and a repeated request with its key does not", () =>
    Effect.gen(function* () {
      const key = "a-key-of-an-upload"
      for (const [expected, sent] of [[200, key], [200], [200], [429], [200, key]] as const) {
        const { body, status } = yield* upload(image, 1, sent)
        assert.strictEqual(status, expected, JSON.stringify(body))
      }
      const { body } = yield* upload(image, 1)
      assert.deepInclude(body.details, { resource: "uploads_today" })
      assert.strictEqual((yield* storedRows).uploads, 1)
    }),
  )

  it.effect("metadata counts as well, also that of a launch", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const document = (name: string) =>
        request("/api/ipfs/upload-metadata", { json: { name, symbol: "S" }, headers: from(2) })
      for (const name of ["a", "b", "c"]) assert.strictEqual((yield* document(name)).status, 200)
      assert.strictEqual((yield* document("d")).body.details.resource, "uploads_today")
      const metadata = { name: "Launch", symbol: "L", imageUri: "https://example.com/i.png" }
      const signer = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
      const config = yield* request("/api/launch/dbc-config", { json: { metadata, signer }, headers: from(2) })
      const { dbcConfigKeypair } = config.body.data
      const launch = (client: number) =>
        request("/api/launch/deploy-token", { json: { metadata, signer, dbcConfigKeypair }, headers: from(client) })
      assert.strictEqual((yield* launch(2)).body.details.resource, "uploads_today")
      assert.strictEqual((yield* launch(3)).status, 200)
    }),
  )
})
