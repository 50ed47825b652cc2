import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ArchiveNotConfigured, ArchiveUnreadable } from "../../src/archive/ArchiveFault.ts"
import { LogArchive } from "../../src/archive/LogArchive.ts"
import { restoreArchive, verifyArchive } from "../../src/command/ArchiveCommand.ts"
import { CommandFailed } from "../../src/command/CommandFailed.ts"
import { forgetChain } from "../../src/identity/ForgetChain.ts"
import { leaseStatements } from "../../src/leader/Lease.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { wholeLog } from "../retention/SweptIndex.ts"
import { digest, lead } from "../TestIndex.ts"
import { archived, archivedIndex, archivedLog, objectsOf, placesOfLog } from "./ArchivedIndex.ts"

/** A log that is in the archive, and no leader. */
const leftLog = Effect.fnUntraced(function* (archive: NonNullable<LogArchive>) {
  const { fence } = yield* archivedLog(archive)
  yield* leaseStatements(yield* SqlClient).release(fence)
})

const turned = (bytes: Buffer) => Buffer.from(bytes).fill(bytes[0]! ^ 1, 0, 1)

describe("The command verify-archive", () => {
  it.live("names every object that is gone, shorter or otherwise, and no other", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        yield* verifyArchive
        yield* leftLog(archive)
        yield* verifyArchive
        const [gone, longer, turnedOne] = [...standIn.objects.keys()]
        standIn.objects.delete(gone!)
        standIn.objects.set(longer!, Buffer.concat([standIn.objects.get(longer!)!, Buffer.alloc(9)]))
        standIn.objects.set(turnedOne!, turned(standIn.objects.get(turnedOne!)!))
        const error = yield* Effect.flip(verifyArchive)
        assert.instanceOf(error, CommandFailed)
        const lines = error.message.split("\n")
        assert.deepStrictEqual(
          lines.map((line) => line.split(": ")[0]),
          [gone, longer, turnedOne],
        )
        assert.match(lines.join(), /it is not there.*it has not \d+ bytes.*its bytes are others/)
      }),
    ),
  )

  it.live("needs the settings of the archive", () =>
    archivedIndex((_, archive) =>
      Effect.gen(function* () {
        yield* leftLog(archive)
        const error = yield* Effect.flip(Effect.provideService(verifyArchive, LogArchive, undefined))
        assert.instanceOf(error, ArchiveNotConfigured)
      }),
    ),
  )
})

describe("The command restore-archive", () => {
  it.live("takes every byte back, after which the bucket is not needed, and archiving may begin again", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const all = sql`select log_offset, bytes from inbox_segments order by log_offset`
        const fence = yield* lead
        yield* wholeLog(fence)
        const [bytes, whole] = [yield* all, yield* digest]
        yield* archived(archive, fence)
        yield* leaseStatements(sql).release(fence)
        assert.instanceOf(yield* Effect.flip(restoreArchive(false)), CommandFailed)
        yield* restoreArchive(true)
        assert.deepStrictEqual(yield* all, bytes)
        assert.deepStrictEqual(yield* objectsOf, [])
        assert.deepStrictEqual([(yield* placesOfLog).both, (yield* placesOfLog).there], [[], []])
        const objects = standIn.objects
        standIn.objects = new Map()
        const next = yield* lead
        assert.deepStrictEqual((yield* replay(next)).rebuilt, whole)
        yield* archived(archive, next)
        assert.deepStrictEqual(standIn.objects, objects)
      }),
    ),
  )

  it.live("stops at an object that is damaged, with what was restored before, and goes on later", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        yield* leftLog(archive)
        const names = [...standIn.objects.keys()]
        const bytes = standIn.objects.get(names[1]!)!
        standIn.objects.set(names[1]!, turned(bytes))
        assert.instanceOf(yield* Effect.flip(restoreArchive(true)), ArchiveUnreadable)
        assert.deepStrictEqual(
          (yield* objectsOf).map(({ name }) => name),
          names.slice(1),
        )
        standIn.objects.set(names[1]!, bytes)
        yield* restoreArchive(true)
        assert.deepStrictEqual((yield* placesOfLog).there, [])
      }),
    ),
  )
})

describe("An index of another chain", () => {
  it.live("knows nothing of what was archived before", () =>
    archivedIndex((standIn, archive) =>
      Effect.gen(function* () {
        yield* leftLog(archive)
        const fence = yield* lead
        yield* forgetChain(fence)
        assert.deepStrictEqual(yield* objectsOf, [])
        assert.isAbove(standIn.objects.size, 0)
      }),
    ),
  )
})
