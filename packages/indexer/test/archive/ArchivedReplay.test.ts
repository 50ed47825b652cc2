import { assert, describe, it } from "@effect/vitest"
import { DeadLetters } from "@launch-registry/domain/system/DeadLetters"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { ArchiveNotConfigured, ArchiveUnreadable } from "../../src/archive/ArchiveFault.ts"
import { LogArchive } from "../../src/archive/LogArchive.ts"
import { alteredContents } from "../../src/finality/AlteredContents.ts"
import { DeadLettersLayer } from "../../src/inbox/DeadLetters.ts"
import { IngestLog } from "../../src/inbox/IngestLog.ts"
import { postgresLog } from "../../src/inbox/PostgresLog.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import type { LogEntry } from "../../src/sink/InboxStatements.ts"
import { landed, transactions } from "../finality/ReconciledIndex.ts"
import { wholeLog } from "../retention/SweptIndex.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import { archived, archivedIndex, archivedLog, archiveAt, OBJECT_SEGMENTS, placesOfLog } from "./ArchivedIndex.ts"

/** Everything in the log, in pieces, as a reader that starts over sees it. */
const readAll = Effect.gen(function* () {
  const log = yield* IngestLog
  const read: Array<readonly [offset: bigint, signatures: ReadonlyArray<unknown>]> = []
  let after = 0n
  for (;;) {
    const segments = yield* log.readAfter(after, 20)
    if (segments.length === 0) return read
    for (const { elements, logOffset, positions } of segments)
      read.push([logOffset, positions.map((position) => elements[position]!.key)])
    after = segments.at(-1)!.logOffset
  }
}).pipe(Effect.provide(postgresLog))

describe("A replay of a log that is in an archive", () => {
  for (const seed of [1, 2, 3, 4])
    it.live(`derives what the live tables have, however much is there (seed ${seed})`, () =>
      archivedIndex((_, archive) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* wholeLog(fence)
          const [whole, log] = [yield* digest, yield* readAll]
          const random = new SeededRandom(seed)
          for (let round = 0; round < 3; round++) {
            yield* archived(archive, fence, {
              objectSegments: 1 + random.below(9),
              objectsMax: 1 + random.below(4),
              keepMillis: random.chance(0.5) ? 0 : 86_400_000,
            })
            assert.deepStrictEqual(yield* readAll, log)
            const { live, rebuilt } = yield* replay(fence)
            assert.deepStrictEqual([live, rebuilt], [whole, whole])
          }
          // What is delivered again is known by its key, wherever its bytes are.
          yield* receiveTransactions(transactions)
          yield* fold(fence)
          assert.deepStrictEqual(yield* digest, whole)
        }),
      ),
    )

  it.live(
    "reads an object in few requests, and one byte of it that is wrong twice ends it, with the tables as they were",
    () =>
      archivedIndex((standIn, archive) =>
        Effect.gen(function* () {
          const { fence, whole } = yield* archivedLog(archive)
          standIn.requests = []
          yield* replay(fence)
          assert.lengthOf(standIn.requests, standIn.objects.size)
          const wrong = (body: Buffer) => Buffer.from(body).fill(body.at(-1)! ^ 1, body.length - 1)
          standIn.tell({ is: "body", of: wrong }, ["GET"], 1)
          yield* replay(fence)
          assert.deepStrictEqual(yield* digest, whole)
          standIn.tell({ is: "body", of: wrong }, ["GET"])
          const error = yield* Effect.flip(replay(fence))
          assert.instanceOf(error, ArchiveUnreadable)
          assert.match(
            error.message,
            /^Segments of the log cannot be read from inbox\/1-6-\w+\.zst in the archive: its bytes/,
          )
          assert.deepStrictEqual(yield* digest, whole)
          standIn.forgive()
          yield* replay(fence)
        }),
      ),
  )

  it.live("waits for a service that comes back, and no longer", () =>
    archivedIndex(
      (standIn, archive) =>
        Effect.gen(function* () {
          const { fence, whole } = yield* archivedLog(archive)
          standIn.tell({ is: "status", status: 503, code: "SlowDown" }, ["GET"], 1)
          standIn.tell({ is: "reset", afterHeaders: true }, ["GET"], 1)
          standIn.tell({ is: "body", of: (body) => body.subarray(1) }, ["GET"], 1)
          assert.deepStrictEqual((yield* replay(fence)).rebuilt, whole)
          standIn.tell({ is: "body", of: (body) => Buffer.concat([body, body]) }, ["GET"], 1)
          standIn.tell({ is: "hang", afterHeaders: true }, ["GET"], 1)
          assert.deepStrictEqual((yield* replay(fence)).rebuilt, whole)
          for (const [fault, reason] of [
            [{ is: "status", status: 500 }, "S3 is in trouble: status 500"],
            [{ is: "status", status: 404, code: "NoSuchKey" }, "S3 has no such object, or no such bucket"],
            [{ is: "status", status: 404, code: "NoSuchBucket" }, "S3 has no such bucket"],
            [{ is: "status", status: 403, code: "AccessDenied" }, "S3 refuses the key: AccessDenied"],
            [{ is: "endless", status: 206 }, "S3 answered"],
            [{ is: "html", status: 200 }, "S3 does not answer with a part of an object"],
          ] as const) {
            standIn.forgive()
            standIn.tell(fault, ["GET"])
            const error = yield* Effect.flip(replay(fence))
            assert.instanceOf(error, ArchiveUnreadable)
            assert.include(error.message, reason)
          }
          assert.deepStrictEqual(yield* digest, whole)
        }),
      { attemptMillis: 1_000 },
    ),
  )

  it.live("does not read what others have put into the bucket", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        const { fence, whole } = yield* archivedLog(archive)
        const [name, bytes] = [...standIn.objects][0]!
        standIn.objects.set("inbox/0-0-forged.zst", bytes)
        standIn.objects.set(name.replace(/-\w+\.zst$/, "-00.zst"), Buffer.from("forged"))
        assert.deepStrictEqual((yield* replay(fence)).rebuilt, whole)
      }),
    ),
  )

  it.live("is refused without the settings of the archive; what is new is folded all the same", () =>
    archivedIndex((_, archive) =>
      Effect.gen(function* () {
        const { fence, whole } = yield* archivedLog(archive)
        const without = <A, E, R>(work: Effect.Effect<A, E, R | IngestLog>) =>
          work.pipe(Effect.provide(Layer.fresh(postgresLog)), Effect.provideService(LogArchive, undefined))
        const error = yield* Effect.flip(without(replay(fence)))
        assert.instanceOf(error, ArchiveNotConfigured)
        assert.deepStrictEqual(yield* digest, whole)
        const twice = { ...landed[0]!, slot: landed.at(-1)!.slot + 1 }
        yield* receiveTransactions([twice])
        yield* without(fold(fence))
        assert.notDeepEqual(yield* digest, whole)
      }),
    ),
  )
})

describe("A segment that is in the archive alone", () => {
  const entryOf = Effect.fnUntraced(function* (logOffset: number) {
    const sql = yield* SqlClient
    const [entry] = yield* sql<LogEntry>`
      select log_offset, position, slot, signature from inbox_transactions where log_offset = ${logOffset} order by position`
    return entry!
  })
  const onChainOf = ({ signature }: LogEntry) =>
    transactions.find(({ transaction }) => transaction.signatures[0] === signature)!

  it.live("is compared with the chain, and nothing is concluded while it cannot be read", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* archivedLog(archive)
        const entries = yield* Effect.forEach([1, 2, OBJECT_SEGMENTS + 1], entryOf)
        const [first, second, third] = entries
        const { alteredOf } = yield* alteredContents(sql)
        const same = entries.map((entry) => ({ entry, onChain: onChainOf(entry) }))
        assert.deepStrictEqual(yield* alteredOf(same), [])
        const other = [
          { entry: first!, onChain: onChainOf(second!) },
          { entry: second!, onChain: onChainOf(second!) },
          { entry: third!, onChain: onChainOf(third!) },
        ]
        assert.deepStrictEqual(yield* alteredOf(other), [first])
        standIn.tell({ is: "status", status: 404, code: "NoSuchKey" }, ["GET"])
        assert.strictEqual((yield* Effect.flip(alteredOf(same)))._tag, "HistoryIncomplete")
      }),
    ),
  )

  it.live("shows the body of its dead letter, or none while the archive does not answer", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* archivedLog(archive)
        const { logOffset, position, signature, slot } = yield* entryOf(2)
        yield* sql`
          insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
          values (${logOffset}, ${position}, ${slot}, ${signature}, 'a test', 'none')`
        const { letter } = yield* DeadLetters
        const id = `${logOffset}-${position}`
        assert.include((yield* letter(id)).body, signature)
        standIn.tell({ is: "status", status: 404, code: "NoSuchKey" }, ["GET"])
        const { body, length } = yield* letter(id)
        assert.deepStrictEqual([body, length], [null, 0])
      }).pipe(Effect.provide(DeadLettersLayer)),
    ),
  )

  it.live("is read within a deadline, and an interrupted read closes its connection", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        yield* archivedLog(archive)
        const [name] = [...standIn.objects.keys()]
        standIn.tell({ is: "hang" }, ["GET"])
        const error = yield* Effect.flip(archiveAt(standIn, { attemptMillis: 50, retries: 1 }).range(name!, 0, 10))
        assert.deepInclude(error, { reason: "S3 did not answer in time", isPermanent: false })
        const [hanging, leaving] = [standIn.nextHang(), standIn.nextLeaving()]
        const fiber = yield* Effect.forkChild(archive.range(name!, 0, 10))
        yield* Effect.promise(() => hanging)
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => leaving)
        assert.isAbove((yield* placesOfLog).there.length, 0)
      }),
    ),
  )
})
