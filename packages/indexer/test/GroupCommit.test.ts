import { assert, describe, it } from "@effect/vitest"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { groupCommit } from "../src/inbox/GroupCommit.ts"
import { IngestLog } from "../src/inbox/IngestLog.ts"
import { postgresLog } from "../src/inbox/PostgresLog.ts"
import { testIndex } from "./TestIndex.ts"

const bytes = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value))
const transactions = [...generateBlocks({ seed: 5, slots: 10, isLarge: false })].flatMap((block) => block.transactions)

/** PostgreSQL's log, whose appends wait or fail as the test says. */
const heldLog = (gate: Deferred.Deferred<void>) =>
  Layer.effect(
    IngestLog,
    Effect.map(IngestLog, (log) => ({
      ...log,
      append: (received: Parameters<typeof log.append>[0]) =>
        Effect.andThen(Deferred.await(gate), log.append(received)),
    })),
  ).pipe(Layer.provide(postgresLog))

/** A sender that retries: a busy machine may have no room, or not commit in time. */
const delivering = Effect.map(
  WebhookInbox,
  ({ receive }) =>
    (body: Uint8Array) =>
      Effect.retry(receive(body), Schedule.spaced(20)),
)

describe("The inbox of webhooks", () => {
  it.live("answers a delivery once all of it is durable, and stores each transaction once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const receive = yield* delivering
      const bodies = [...transactions, ...transactions.slice(0, 40)].map((transaction, index) =>
        bytes(index % 3 === 0 ? transaction : [transaction]),
      )
      const answers = yield* Effect.forEach(bodies, receive, { concurrency: 64 })
      assert.isTrue(answers.every(({ accepted, unreadable }) => accepted === 1 && unreadable === 0))
      const [counts] = yield* sql`
        select (select count(*)::integer from inbox_transactions) as transactions,
          (select sum(cardinality(positions))::integer from inbox_segments) as positions,
          (select count(*)::integer from inbox_segments) as segments`
      assert.strictEqual(counts!.transactions, transactions.length)
      assert.strictEqual(counts!.positions, transactions.length)
      // Concurrent deliveries shared commits.
      assert.isBelow(counts!.segments as number, bodies.length)
    }).pipe(Effect.provide(groupCommit().pipe(Layer.provide(postgresLog), Layer.provideMerge(testIndex)))),
  )

  it.live("stores transactions that share a commit with as many bodies that contain none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const receive = yield* delivering
      const bodies = transactions.slice(0, 3).flatMap((transaction) => [bytes(transaction), bytes("nonsense")])
      const answers = yield* Effect.forEach(bodies, receive, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ accepted }) => accepted),
        bodies.map((_, index) => (index % 2 === 0 ? 1 : 0)),
      )
      const [counts] = yield* sql`
        select (select count(*)::integer from inbox_transactions) as transactions,
          (select count(*)::integer from inbox_segments) as segments`
      assert.deepStrictEqual(counts, { transactions: 3, segments: 1 })
    }).pipe(Effect.provide(groupCommit().pipe(Layer.provide(postgresLog), Layer.provideMerge(testIndex)))),
  )

  it.live("dead-letters unreadable elements, and accepts the rest of the body", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { receive } = yield* WebhookInbox
      const [good] = transactions
      const body = [good, null, {}, { slot: "5", transaction: good!.transaction }, { ...good, slot: -1 }, [good]]
      assert.deepStrictEqual(yield* receive(bytes(body)), { accepted: 1, unreadable: 5 })
      for (const text of ["", "{", "\u0000", "[[[[[[", "nonsense \ud800", '"text"'])
        assert.deepStrictEqual(yield* receive(bytes(text)), { accepted: 0, unreadable: 1 }, text)
      assert.deepStrictEqual(yield* receive(bytes([])), { accepted: 0, unreadable: 0 })
      const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
      assert.deepStrictEqual(yield* receive(bytes(deep)), { accepted: 0, unreadable: 1 })
      const [counts] = yield* sql`
        select count(*)::integer as poison, count(distinct reason)::integer as reasons from inbox_poison`
      assert.isAbove(counts!.poison as number, 8)
      assert.isAbove(counts!.reasons as number, 2)
    }).pipe(Effect.provide(groupCommit().pipe(Layer.provide(postgresLog), Layer.provideMerge(testIndex)))),
  )

  it.live("refuses deliveries at once when its queue is full, and accepts them again afterwards", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const inbox = groupCommit({ waitingBodiesMax: 4 }).pipe(
        Layer.provide(heldLog(gate)),
        Layer.provideMerge(testIndex),
      )
      yield* Effect.gen(function* () {
        const { receive } = yield* WebhookInbox
        const deliver = yield* delivering
        const waiting = yield* Effect.forEach(transactions.slice(0, 4), (one) =>
          Effect.forkChild(deliver(bytes(one)), { startImmediately: true }),
        )
        const refused = yield* Effect.flip(receive(bytes(transactions[4])))
        assert.strictEqual(refused._tag, "Busy")
        yield* Deferred.succeed(gate, undefined)
        yield* Effect.forEach(waiting, Fiber.join)
        assert.deepStrictEqual(yield* deliver(bytes(transactions[4])), { accepted: 1, unreadable: 0 })
      }).pipe(Effect.provide(inbox))
    }),
  )

  it.live("answers in time when it cannot commit; the redelivery is stored once", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const inbox = groupCommit().pipe(Layer.provide(heldLog(gate)), Layer.provideMerge(testIndex))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const { receive } = yield* WebhookInbox
        const late = yield* Effect.flip(receive(bytes(transactions[0])))
        assert.strictEqual(late._tag, "Unavailable")
        yield* Deferred.succeed(gate, undefined)
        assert.deepStrictEqual(yield* (yield* delivering)(bytes(transactions[0])), { accepted: 1, unreadable: 0 })
        const [counts] = yield* sql`select count(*)::integer as segments from inbox_segments`
        assert.strictEqual(counts!.segments, 1)
      }).pipe(Effect.provide(inbox))
    }),
  )

  it.live("gives readers of the log everything in order of offsets, under concurrent appends", () =>
    Effect.gen(function* () {
      const log = yield* IngestLog
      const receive = yield* delivering
      let seen = 0
      let offset = 0n
      const reader = Effect.gen(function* () {
        while (seen < transactions.length) {
          for (const segment of yield* log.readAfter(offset, 7)) {
            assert.isTrue(segment.logOffset > offset)
            offset = segment.logOffset
            seen += segment.positions.length
          }
          yield* Effect.sleep(1)
        }
      })
      const reading = yield* Effect.forkChild(reader)
      yield* Effect.forEach(transactions, (one) => receive(bytes(one)), { concurrency: 16 })
      yield* Fiber.join(reading)
      assert.strictEqual(seen, transactions.length)
      assert.strictEqual(offset, yield* log.head)
    }).pipe(Effect.provide(groupCommit().pipe(Layer.provide(postgresLog), Layer.provideMerge(testIndex)))),
  )
})
