import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CREDENTIALS } from "../../../s3/test/S3StandIn.ts"
import { archiveRounds } from "../../src/archive/KeepArchive.ts"
import { LogArchive } from "../../src/archive/LogArchive.ts"
import { wholeLog } from "../retention/SweptIndex.ts"
import { lead } from "../TestIndex.ts"
import { archived, archivedIndex, OBJECT_SEGMENTS, placesOfLog } from "./ArchivedIndex.ts"

const OPTIONS = { keepMillis: 0, objectSegments: OBJECT_SEGMENTS }

/** A clock that the test sets, and which S3 accepts. */
const movable = Effect.gen(function* () {
  const real = yield* Clock.Clock
  const at = { millis: Date.now() }
  const clock = Object.assign(Object.create(real) as Clock.Clock, {
    currentTimeMillis: Effect.sync(() => at.millis),
    currentTimeMillisUnsafe: () => at.millis,
  })
  return { at, layer: Layer.succeed(Clock.Clock, clock) }
})

const reported = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly report: unknown }>`select report from indexer_reports where name = 'archive'`
  return row?.report
})

describe("A leader with an archive", () => {
  it.live("leaves rounds out for longer and longer after failures, and reports since when and why", () =>
    archivedIndex((standIn) =>
      Effect.gen(function* () {
        const { at, layer } = yield* movable
        const began = at.millis
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* Effect.gen(function* () {
          const round = yield* archiveRounds(OPTIONS, fence)
          standIn.tell({ is: "status", status: 403, code: "AccessDenied" })
          const attempts = Effect.gen(function* () {
            standIn.requests = []
            yield* Effect.ignore(round)
            return standIn.requests.length
          })
          assert.strictEqual(yield* attempts, 1)
          const report = {
            problem: "S3 refuses the key: AccessDenied",
            failingSince: new Date(began).toISOString(),
          }
          assert.deepStrictEqual(yield* reported, report)
          for (const minutes of [1, 2, 4, 8, 16, 30, 30]) {
            at.millis += minutes * 60_000 - 1
            assert.strictEqual(yield* attempts, 0, `${minutes}`)
            at.millis += 1
            assert.strictEqual(yield* attempts, 1, `${minutes}`)
          }
          assert.deepStrictEqual(yield* reported, report)
        }).pipe(Effect.provide(layer))
      }),
    ),
  )

  it.live("reports no key, however the service quotes it", () =>
    archivedIndex((standIn) =>
      Effect.gen(function* () {
        const fence = yield* lead
        yield* wholeLog(fence)
        for (const code of [CREDENTIALS.key, CREDENTIALS.secret, "SignatureDoesNotMatch"]) {
          standIn.forgive()
          standIn.tell({ is: "status", status: 403, code })
          yield* Effect.flip(yield* archiveRounds(OPTIONS, fence))
          const text = JSON.stringify(yield* reported)
          assert.include(text, "S3 refuses the key")
          for (const canary of [CREDENTIALS.key, CREDENTIALS.secret, standIn.url]) assert.notInclude(text, canary)
        }
      }),
    ),
  )

  it.live("goes on after a failure, and looks again some minutes after it found nothing", () =>
    archivedIndex((standIn) =>
      Effect.gen(function* () {
        const { at, layer } = yield* movable
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* Effect.gen(function* () {
          const round = yield* archiveRounds(OPTIONS, fence)
          standIn.tell({ is: "status", status: 503 }, ["PUT"], 1)
          yield* Effect.flip(round)
          at.millis += 60_000
          yield* round
          assert.deepStrictEqual(yield* reported, { problem: null, failingSince: null })
          const moved = yield* placesOfLog
          assert.isAbove(moved.there.length, 0)
          yield* round
          const sql = yield* SqlClient
          yield* sql`update inbox_archives set moved_at = null`
          at.millis += 299_000
          standIn.requests = []
          yield* round
          assert.lengthOf(standIn.requests, 0)
          at.millis += 1_000
          yield* round
          assert.isAbove(standIn.requests.length, 0)
        }).pipe(Effect.provide(layer))
      }),
    ),
  )

  it.live("says so while the settings of the archive are absent, and no more once they are back", () =>
    archivedIndex((_, archive) =>
      Effect.gen(function* () {
        const fence = yield* lead
        yield* wholeLog(fence)
        const without = Effect.provideService(archiveRounds(OPTIONS, fence), LogArchive, undefined)
        yield* yield* without
        assert.isUndefined(yield* reported)
        yield* archived(archive, fence)
        const error = yield* Effect.flip(yield* without)
        assert.strictEqual((error as { readonly _tag: string })._tag, "ArchiveNotConfigured")
        assert.include(JSON.stringify(yield* reported), "INBOX_ARCHIVE_URL")
        yield* yield* archiveRounds(OPTIONS, fence)
        assert.deepStrictEqual(yield* reported, { problem: null, failingSince: null })
      }),
    ),
  )

  it.live("says nothing of an archive that was given up", () =>
    archivedIndex((_, archive) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* archived(archive, fence)
        const round = yield* Effect.provideService(archiveRounds(OPTIONS, fence), LogArchive, undefined)
        yield* Effect.flip(round)
        assert.isDefined(yield* reported)
        // As restore-archive leaves it.
        yield* sql`delete from inbox_archives`
        yield* sql`delete from inbox_segments`
        yield* yield* Effect.provideService(archiveRounds(OPTIONS, fence), LogArchive, undefined)
        assert.isUndefined(yield* reported)
      }),
    ),
  )

  it.live("archives what is closed", () =>
    archivedIndex(() =>
      Effect.gen(function* () {
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* yield* archiveRounds(OPTIONS, fence)
        assert.isAbove((yield* placesOfLog).there.length, 0)
        assert.deepStrictEqual(yield* reported, { problem: null, failingSince: null })
      }),
    ),
  )
})
