import { assert, describe, it } from "@effect/vitest"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { deliver } from "../../fixtures/DeliverTransactions.ts"
import { generateChain } from "../../fixtures/GenerateTransactions.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { forgetChain } from "../../src/identity/ForgetChain.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { beginDue, isRebuildDue } from "../../src/replay/BeginReplay.ts"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { rebuild, replay } from "../../src/replay/Rebuild.ts"
import type { ReplayProgress } from "../../src/replay/ReplayProgress.ts"
import type { LogEntry } from "../../src/sink/InboxStatements.ts"
import { shadowTables } from "../../src/sink/ShadowTables.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { capturedTransactions } from "../../src/sources/CapturedTransactions.ts"
import { blocks as chain, LAST, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { sweptAt, wholeLog } from "../retention/SweptIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, lead, receive, receiveTransactions, testIndex } from "../TestIndex.ts"

const { blocks } = generateChain({ seed: 23, slots: 40, transactionsPerSlot: 6, isLarge: false })

class Stopped extends Data.TaggedError("Stopped") {}

/** Stops a replay after so many batches, as the death of its leader does. */
const stopAfter = (batches: number) => {
  let left = batches
  return () => Effect.suspend(() => (left-- === 0 ? Effect.fail(new Stopped()) : Effect.void))
}

/** Makes the live tables those of an earlier version, which derived them otherwise. */
const derivedByOthers = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update cursors set id = 'modules of an earlier version'`
  yield* sql`update trades set fee = fee + 1`
  yield* sql`delete from candles where seconds = 60`
})

const shadow = Effect.map(SqlClient, shadowTables)
const shadowProgress = Effect.flatMap(shadow, ({ progress }) => progress)

/** A segment each. */
const receiveOneByOne = Effect.forEach(capturedTransactions, (transaction) => receiveTransactions([transaction]))

const keyOf = ({ signature, slot }: LogEntry): string => `${slot} ${signature}`

const lettersOf = Effect.flatMap(
  SqlClient,
  (sql) =>
    sql<{ readonly signature: string }>`select slot, signature, reason from dead_letters order by slot, signature`,
)

/** Receives, folds, reverts and takes turns with a rebuild that stops again and again, at random. */
const interleaved = Effect.fnUntraced(function* (fence: Fence, seed: number) {
  const sql = yield* SqlClient
  const sink = yield* Sink
  const random = new SeededRandom(seed)
  const { bodies } = deliver(blocks, {
    ...{ seed, duplicateShare: 0.2, shuffleWindow: 40, poisonShare: 0.03, batchMax: 5 },
  })
  let dropped: ReadonlyArray<string> = []
  const drop = Effect.gen(function* () {
    const entries =
      yield* sql<LogEntry>`select log_offset, position, slot, signature from inbox_transactions order by slot, signature`
    const gone = entries.filter(() => random.chance(0.04))
    yield* sink.drop(gone, "test", fence)
    dropped = [...dropped, ...gone.map(({ signature }) => signature)]
  })
  /** The chain has it after all. */
  const redeliver = Effect.gen(function* () {
    const back = new Set(dropped.filter(() => random.chance(0.5)))
    yield* receiveTransactions(
      blocks.flatMap(({ transactions }) =>
        transactions.filter(({ transaction }) => back.has(transaction.signatures[0]!)),
      ),
    )
  })

  let received = Math.floor(bodies.length / 3)
  yield* receive(bodies.slice(0, received))
  yield* fold(fence)
  yield* derivedByOthers
  let runs = 0
  while (received < bodies.length) {
    const more = random.between(1, 6)
    yield* receive(bodies.slice(received, received + more))
    received += more
    if (runs > 0 && random.chance(0.7)) yield* fold(fence)
    if (runs > 0 && random.chance(0.5)) yield* drop
    if (random.chance(0.5)) yield* redeliver
    const stopped = rebuild(fence, stopAfter(random.between(1, 3)), { batchTransactions: 7 })
    yield* Effect.ignore(stopped)
    runs++
  }
  yield* rebuild(fence, undefined, { batchTransactions: 7 })
  yield* fold(fence)
  return bodies
})

describe("A rebuild beside following", () => {
  it.live.each([1, 2, 3, 4, 5, 6])(
    "gives the tables of an index that did neither, however often it stops, whatever is received and reverted (%s)",
    (seed) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const sink = yield* Sink
        const fence = yield* lead
        const bodies = yield* interleaved(fence, seed)
        assert.isFalse(yield* isRebuildDue)
        assert.isUndefined(yield* shadowProgress)
        const [found, letters] = [yield* digest, yield* lettersOf]
        const entries = sql<LogEntry>`select log_offset, position, slot, signature from inbox_transactions`
        const standing = new Set((yield* entries).map(keyOf))
        yield* forget
        yield* receive(bodies)
        yield* fold(fence)
        const others = (yield* entries).filter((entry) => !standing.has(keyOf(entry)))
        assert.isAbove(others.length, 0)
        yield* sink.drop(others, "test", fence)
        assert.deepStrictEqual(found, yield* digest)
        assert.deepStrictEqual(letters, yield* lettersOf)
        assert.isAbove(letters.length, 0)
      }).pipe(Effect.provide(testIndex)),
  )

  it.live("goes on where it stopped, and the live tables are followed from where they were", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      for (const transaction of capturedTransactions.slice(0, 20)) yield* receiveTransactions([transaction])
      yield* fold(fence)
      yield* derivedByOthers
      assert.isTrue(yield* isRebuildDue)
      yield* Effect.flip(rebuild(fence, stopAfter(3), { batchTransactions: 4 }))
      assert.isTrue(yield* isRebuildDue)
      const { logOffset, transactions } = (yield* shadowProgress)!
      assert.deepStrictEqual([logOffset, transactions], [12n, 12n])
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      const [live] = yield* sql<{ count: number }>`select count(*)::integer as count from trades where fee is not null`
      const told: Array<ReplayProgress> = []
      yield* rebuild(fence, (progress) => Effect.sync(() => told.push(progress)), { batchTransactions: 4 })
      assert.strictEqual(told[0]!.logOffset, 12n)
      assert.deepInclude(told.at(-1), { state: "done", transactions: capturedTransactions.length })
      const found = yield* digest
      assert.deepStrictEqual(yield* sql`select count(*)::integer as count from trades`, [live!])
      yield* forget
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      assert.deepStrictEqual(found, yield* digest)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("starts over when a migration changed the tables, also at its very end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      let migrations = 0
      const migrate = Effect.gen(function* () {
        migrations++
        yield* sql`alter table trades add column ${sql(`note_${migrations}`)} text`
        yield* sql`insert into schema_migrations (migration_id, name) values (${9_000 + migrations}, 'add_note')`
      })
      const states: Array<string> = []
      const { rebuilt } = yield* replay(fence, ({ state }) =>
        Effect.gen(function* () {
          states.push(state)
          if (state === "comparing" && migrations < 2) yield* migrate
        }),
      )
      assert.strictEqual(states.filter((state) => state === "comparing").length, 3)
      assert.strictEqual(states.at(-1), "done")
      yield* sql`select note_1, note_2 from trades`
      assert.isTrue(isSameDigest(rebuilt, yield* digest))
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("has its own dead letters: those of transactions that it can decode go", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      yield* derivedByOthers
      yield* sql`
        insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
        select log_offset, position, slot, signature, 'the database refuses it', 'any' from inbox_transactions limit 1`
      yield* rebuild(fence)
      assert.deepStrictEqual(yield* lettersOf, [])
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("keeps the log whole until it has ended", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(chain)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const segments = Effect.map(
          sql<{ count: number }>`select count(*)::integer as count from inbox_segments`,
          ([row]) => row!.count,
        )
        const whole = yield* segments
        yield* Effect.flip(replay(fence, stopAfter(1)))
        yield* sweptAt(LAST, { inboxDays: 1 }, fence)
        assert.strictEqual(yield* segments, whole)
        yield* replay(fence)
        yield* sweptAt(LAST, { inboxDays: 1 }, fence)
        assert.isBelow(yield* segments, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("leaves nothing behind: a replay that nobody goes on with, another chain, an earlier version's tables", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      const schemas = sql`select nspname from pg_namespace where nspname like 'derived%'`
      yield* receiveOneByOne
      yield* fold(fence)
      const stopped = Effect.suspend(() => Effect.flip(replay(fence, stopAfter(1), { batchTransactions: 4 })))
      yield* stopped
      yield* beginDue(fence, { isReplayNext: true, keepsFacts: false })
      assert.lengthOf(yield* schemas, 1)
      yield* beginDue(fence, { isReplayNext: false, keepsFacts: false })
      assert.lengthOf(yield* schemas, 0)
      yield* stopped
      yield* forgetChain(fence)
      assert.lengthOf(yield* schemas, 0)
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      yield* sql`create schema derived_0123456789ab`
      yield* replay(fence)
      assert.lengthOf(yield* schemas, 0)
    }).pipe(Effect.provide(testIndex)),
  )
})
