import { createHash } from "node:crypto"
import { zstdDecompressSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ArchiveDamaged } from "../../src/archive/ArchiveFault.ts"
import { reconcileStatements } from "../../src/finality/ReconcileStatements.ts"
import { leaseStatements } from "../../src/leader/Lease.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { sweepInbox } from "../../src/retention/Retention.ts"
import { blocks, ORIGIN } from "../finality/ReconciledIndex.ts"
import { originReported, wholeLog } from "../retention/SweptIndex.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import { archived, archivedIndex, archiveAt, objectsOf, OBJECT_SEGMENTS, placesOfLog } from "./ArchivedIndex.ts"

const NOTHING = { archived: 0, moved: 0 }

describe("Closed segments of the log", () => {
  it.live(
    "are uploaded as frames of zstd, read back, recorded and moved; the newest and what fills no object stay",
    () =>
      archivedIndex((standIn, archive) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* wholeLog(fence)
          const before = yield* placesOfLog
          const { archived: objects, moved } = yield* archived(archive, fence)
          assert.isAbove(objects, 3)
          assert.strictEqual(moved, objects)
          const { both, here, there } = yield* placesOfLog
          assert.deepStrictEqual(both, [])
          assert.deepStrictEqual([...there, ...here], before.here)
          assert.strictEqual(there.length, objects * OBJECT_SEGMENTS)
          assert.isBelow(here.length, OBJECT_SEGMENTS + 1)
          assert.sameMembers(
            [...standIn.objects.keys()],
            (yield* objectsOf).map(({ name }) => name),
          )
          for (const [name, bytes] of standIn.objects) {
            const [, first, last, sha256] = /^inbox\/(\d+)-(\d+)-([0-9a-f]{64})\.zst$/.exec(name)!
            assert.strictEqual(Number(last) - Number(first), OBJECT_SEGMENTS - 1)
            assert.strictEqual(createHash("sha256").update(bytes).digest("hex"), sha256)
            assert.include(zstdDecompressSync(bytes).toString("latin1"), `"slot":${blocks[Number(first) - 1]!.slot}`)
          }
          assert.deepStrictEqual(yield* archived(archive, fence), NOTHING)
          assert.deepStrictEqual(new Set(standIn.requests.map(({ method }) => method)), new Set(["PUT", "GET", "HEAD"]))
        }),
      ),
  )

  it.live("are those that are proven, folded and compared; one with a dead letter waits", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* originReported
        for (const { transactions } of blocks) yield* receiveTransactions(transactions)
        assert.deepStrictEqual(yield* archived(archive, fence), NOTHING)
        yield* fold(fence)
        assert.deepStrictEqual(yield* archived(archive, fence), NOTHING)
        assert.lengthOf(standIn.requests, 0)
        yield* sql`truncate inbox_segments, inbox_transactions, cursors, trades, dbc_events, fee_claims, fee_totals,
          dbc_configs, dbc_pools, candles`
        yield* wholeLog(fence)
        const [dead] = (yield* placesOfLog).here
        yield* sql`
          insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
          values (${BigInt(dead!)}, 0, 1, 'x', 'none', 'none')`
        yield* archived(archive, fence)
        const { here, there } = yield* placesOfLog
        assert.strictEqual(here[0], dead)
        assert.strictEqual(there[0], dead! + 1)
      }),
    ),
  )

  it.live("stay in PostgreSQL as well for as long as is set", () =>
    archivedIndex((_, archive) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const { archived: objects } = yield* archived(archive, fence, { keepMillis: 86_400_000 })
        const { both, there } = yield* placesOfLog
        assert.strictEqual(both.length, objects * OBJECT_SEGMENTS)
        assert.deepStrictEqual(there, [])
        yield* sql`
          update inbox_archives set archived_at = now() - interval '25 hours'
          where first_offset = (select min(first_offset) from inbox_archives)`
        assert.deepStrictEqual(yield* archived(archive, fence, { keepMillis: 86_400_000 }), { archived: 0, moved: 1 })
        assert.deepStrictEqual((yield* placesOfLog).there, both.slice(0, OBJECT_SEGMENTS))
      }),
    ),
  )

  it.live("are found by an index, however many are in the archive", () =>
    archivedIndex((_, archive) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* sql`update inbox_segments set log_offset = log_offset + 100000`
        yield* sql`update inbox_transactions set log_offset = log_offset + 100000`
        yield* sql`update coverage set log_offset = log_offset + 100000`
        yield* sql`update cursors set log_offset = log_offset + 100000`
        yield* sql`update inbox_head set next_offset = next_offset + 100000`
        yield* reconcileStatements(sql).setCheckedOffset(200_000n)
        yield* sql`
          insert into inbox_segments (log_offset, source, received_at, first_slot, last_slot, positions, archive_offset)
          select n, 'webhook', now(), ${ORIGIN}, ${ORIGIN}, '{0}', 1 from generate_series(1, 20000) n`
        yield* sql`analyze inbox_segments`
        const read = Effect.map(
          sql<{ readonly count: number }>`
            select (seq_tup_read + idx_tup_fetch)::integer as count from pg_stat_user_tables where relname = 'inbox_segments'`,
          ([row]) => row!.count,
        )
        /** Reported by PostgreSQL at the end of the transaction. */
        const readBy = (work: Effect.Effect<unknown, unknown, SqlClient>) =>
          Effect.gen(function* () {
            const before = yield* read
            yield* Effect.andThen(sql`select pg_stat_force_next_flush()`, work).pipe(sql.withTransaction)
            return (yield* read) - before
          })
        assert.isAtLeast(yield* readBy(sql`select count(*) from inbox_segments where source = 'nobody'`), 20_000)
        assert.isBelow(yield* readBy(archived(archive, fence)), 5_000)
        assert.isAbove((yield* objectsOf).length, 3)
      }),
    ),
  )

  it.live("that an archive has are not deleted by retention", () =>
    archivedIndex((_, archive) =>
      Effect.gen(function* () {
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* archived(archive, fence)
        const before = yield* placesOfLog
        yield* sweepInbox({ inboxDays: 0 }, fence)
        assert.deepStrictEqual(yield* placesOfLog, before)
      }),
    ),
  )
})

describe("An object", () => {
  const uploads: ReadonlyArray<
    readonly [what: string, fault: Parameters<Arg["tell"]>[0], on: ReadonlyArray<"PUT" | "GET">]
  > = [
    ["that is not taken", { is: "status", status: 503, code: "SlowDown" }, ["PUT"]],
    ["whose upload breaks", { is: "reset" }, ["PUT"]],
    ["that does not read back", { is: "status", status: 404, code: "NoSuchKey" }, ["GET"]],
    ["that reads back otherwise", { is: "body", of: (body) => Buffer.alloc(body.length) }, ["GET"]],
    ["that reads back cut short", { is: "body", of: (body) => body.subarray(1) }, ["GET"]],
    ["that reads back without an end", { is: "endless", status: 200 }, ["GET"]],
    ["that a page answers for", { is: "html", status: 200 }, ["PUT"]],
  ]
  for (const [what, fault, on] of uploads)
    it.live(`${what} is not recorded, and made again under the same name`, () =>
      archivedIndex((standIn, archive) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* wholeLog(fence)
          const before = yield* placesOfLog
          standIn.tell(fault, on)
          yield* Effect.flip(archived(archive, fence))
          assert.deepStrictEqual(yield* placesOfLog, before)
          assert.deepStrictEqual(yield* objectsOf, [])
          standIn.forgive()
          const [first] = standIn.requests
          standIn.requests = []
          yield* archived(archive, fence)
          assert.strictEqual(standIn.requests[0]!.path, first!.path)
        }),
      ),
    )

  for (const method of ["PUT", "GET", "HEAD"] as const)
    it.live(`whose leader ends at ${method} is finished by the next one`, () =>
      archivedIndex((standIn, archive) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* wholeLog(fence)
          const whole = yield* digest
          standIn.tell({ is: "hang" }, [method], 1)
          const hanging = standIn.nextHang()
          const fiber = yield* Effect.forkChild(archived(archive, fence))
          yield* Effect.promise(() => hanging)
          yield* Fiber.interrupt(fiber)
          yield* replay(fence)
          assert.deepStrictEqual(yield* digest, whole)
          yield* leaseStatements(sql).release(fence)
          const next = yield* lead
          yield* archived(archive, next)
          const { both, there } = yield* placesOfLog
          assert.deepStrictEqual(both, [])
          assert.strictEqual(there.length % OBJECT_SEGMENTS, 0)
          assert.strictEqual(standIn.objects.size, (yield* objectsOf).length)
          yield* replay(next)
          assert.deepStrictEqual(yield* digest, whole)
        }),
      ),
    )

  it.live("is not recorded, nor its bytes deleted, by a leader that was replaced", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const lease = leaseStatements(sql)
        yield* lease.release(fence)
        const next = yield* lead
        const before = yield* placesOfLog
        assert.strictEqual((yield* Effect.flip(archived(archive, fence)))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* placesOfLog, before)
        assert.strictEqual(standIn.objects.size, 1)
        yield* archived(archive, next, { keepMillis: 86_400_000 })
        const recorded = yield* placesOfLog
        assert.strictEqual((yield* Effect.flip(archived(archive, fence)))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* placesOfLog, recorded)
        assert.sameMembers(
          [...standIn.objects.keys()],
          (yield* objectsOf).map(({ name }) => name),
        )
      }),
    ),
  )

  it.live("that is gone, or another, when its bytes are to be deleted is forgotten and uploaded again", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* archived(archive, fence, { keepMillis: 86_400_000 })
        const [gone, shorter, ...others] = [...standIn.objects.keys()]
        standIn.objects.delete(gone!)
        standIn.objects.set(shorter!, Buffer.from("x"))
        const error = yield* Effect.flip(archived(archive, fence))
        assert.instanceOf(error, ArchiveDamaged)
        const { both, here, there } = yield* placesOfLog
        assert.deepStrictEqual(both, [])
        assert.strictEqual(there.length, others.length * OBJECT_SEGMENTS)
        assert.isAtLeast(here.length, 2 * OBJECT_SEGMENTS)
        yield* archived(archive, fence)
        assert.strictEqual((yield* objectsOf).length, others.length + 2)
        assert.isAbove(standIn.objects.get(gone!)!.length, 1)
        assert.isAbove(standIn.objects.get(shorter!)!.length, 1)
      }),
    ),
  )

  it.live("goes to the bucket, the region and the clock of the settings, or nowhere", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        const fence = yield* lead
        yield* wholeLog(fence)
        const before = yield* placesOfLog
        const reasonOf = (options: Parameters<typeof archiveAt>[1]) =>
          Effect.map(Effect.flip(archived(archiveAt(standIn, options), fence)), ({ message }) => message)
        assert.strictEqual(yield* reasonOf({ bucket: "elsewhere" }), "S3 has no such bucket: NoSuchBucket")
        assert.strictEqual(yield* reasonOf({ region: "auto" }), "S3 refuses the request: AuthorizationHeaderMalformed")
        standIn.tell({ is: "status", status: 403, code: "RequestTimeTooSkewed" })
        assert.strictEqual(
          (yield* Effect.flip(archived(archive, fence))).message,
          "S3 finds that the clock of this machine is wrong: RequestTimeTooSkewed",
        )
        assert.deepStrictEqual(yield* placesOfLog, before)
      }),
    ),
  )
})

type Arg = Parameters<Parameters<typeof archivedIndex>[0]>[0]
