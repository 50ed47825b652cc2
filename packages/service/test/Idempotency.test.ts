import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { encodeBase58 } from "@launch-registry/solana/Base58"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { checkedFetch } from "./ContractCheck.ts"
import { Replica } from "./Replica.ts"

const addressOf = (index: number) => encodeBase58(Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? index + at : 9)))

/** A record that is the same in each request. */
const draft = (index: number) => ({
  ...{ userAddress: addressOf(1), txHash: `record-${index}`, action: "BUY", chain: "SOLANA", status: "pending" },
  ...{ baseToken: addressOf(2), quoteToken: addressOf(3), feeToken: addressOf(3), poolAddress: addressOf(4) },
  ...{ amountIn: 1, amountOut: 2, pricePerToken: 0.5, slippageBps: 100, fee: 0 },
})

interface Answer {
  readonly status: number
  readonly replayed: string | null
  readonly retryAfter: string | null
  readonly text: string
}

const send = async (url: string, index: number): Promise<Answer> => {
  const response = await checkedFetch(`${url}/api/transactions`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": `key-${index}` },
    body: JSON.stringify(draft(index)),
  })
  const { headers, status } = response
  const text = await response.text()
  return { status, replayed: headers.get("idempotency-replayed"), retryAfter: headers.get("retry-after"), text }
}

/** A service on a database that outlives it, and the database. */
const crashing = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "registry-idempotency-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { address } = yield* embeddedPostgres({ folder: withNewCluster(folder), isThrowaway: true })
  const { database, socketDirectory, username } = address
  const replica = yield* Effect.acquireRelease(
    Effect.promise(() =>
      Replica.of({
        DATABASE_URL: `postgres://${username}@localhost/${database}?host=${socketDirectory}`,
        DATA_FOLDER: folder,
      }),
    ),
    (service) => Effect.promise(() => service.stop()),
  )
  yield* Effect.promise(() => replica.start())
  const sql = Context.get(yield* Layer.build(Database.layer(address)), SqlClient)
  const records = (index: number) => sql`select id from transactions where tx_hash = ${`record-${index}`}`
  return { replica, sql, records }
})

const until = <A>(look: Effect.Effect<A, unknown>, holds: (found: A) => boolean) =>
  Effect.repeat(Effect.delay(look, "10 millis"), { until: holds }).pipe(Effect.orDie)

it.live("A request in flight at kill -9 is done again after its lease, and an answered one gets the same answer", () =>
  Effect.gen(function* () {
    const { records, replica, sql } = yield* crashing
    const answered = yield* Effect.promise(() => send(replica.url, 1))
    assert.strictEqual(answered.status, 201)

    // Within a transaction, statistics views keep their first result until they are reset.
    const inserting = Effect.andThen(
      sql`select pg_stat_clear_snapshot()`,
      sql`
          select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into transactions%'`,
    )
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`lock table transactions in share mode`
        const cutOff = send(replica.url, 2).catch(() => "cut off")
        yield* until(inserting, (rows) => rows.length > 0)
        yield* Effect.promise(() => replica.kill())
        assert.strictEqual(yield* Effect.promise(() => cutOff), "cut off")
      }),
    )
    yield* until(inserting, (rows) => rows.length === 0)
    const lease = (text: string) =>
      sql`update idempotent_requests set lease_until = now() + ${text}::interval where state = 'in_flight'`
    yield* lease("1 hour")
    yield* Effect.promise(() => replica.start())

    const again = yield* Effect.promise(() => send(replica.url, 1))
    assert.deepStrictEqual(again, { ...answered, replayed: "true" })
    assert.lengthOf(yield* records(1), 1)

    const early = yield* Effect.promise(() => send(replica.url, 2))
    assert.deepStrictEqual([early.status, early.retryAfter], [409, "1"])
    assert.lengthOf(yield* records(2), 0)
    yield* lease("0 seconds")
    const done = yield* Effect.promise(() => send(replica.url, 2))
    assert.strictEqual(done.status, 201)
    assert.deepStrictEqual(yield* Effect.promise(() => send(replica.url, 2)), { ...done, replayed: "true" })
    assert.lengthOf(yield* records(2), 1)
  }).pipe(Effect.scoped),
)

it.live("Clients that retry write each record once, however often the service is killed", () =>
  Effect.gen(function* () {
    const { replica, sql } = yield* crashing
    const [kills, writers] = [2, 8]
    let next = 0
    let isOver = false
    let acknowledged = 0
    const wrong: Array<string> = []
    const write = async () => {
      while (!isOver) {
        const index = next++
        for (;;) {
          const { status, text } = await send(replica.url, index).catch(() => ({ status: 0, text: "" }))
          if (status === 201) break
          // Disconnected, in flight, or without its database: retried.
          if (![0, 409, 503].includes(status)) wrong.push(text)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        acknowledged++
      }
    }
    const writing = Array.from({ length: writers }, write)
    yield* Effect.promise(async () => {
      for (let kill = 1; kill <= kills; kill++) {
        while (acknowledged < kill * 60) await new Promise((resolve) => setTimeout(resolve, 5))
        replica.crash()
        await replica.up
      }
      isOver = true
      await Promise.all(writing)
    })
    assert.deepStrictEqual(wrong, [])
    assert.strictEqual(replica.kills, kills)
    const [row] = yield* sql<{ readonly rows: bigint; readonly records: bigint }>`
        select count(*) as rows, count(distinct tx_hash) as records from transactions where action <> 'DEPLOY'`
    assert.deepStrictEqual([Number(row!.rows), Number(row!.records)], [acknowledged, acknowledged])
  }).pipe(Effect.scoped),
)
