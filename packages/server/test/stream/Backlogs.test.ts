import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { Backlogs } from "../../src/stream/Backlogs.ts"
import { commitOf, decodeCommit } from "../../src/stream/Commit.ts"
import { Subscriber } from "../../src/stream/Subscriber.ts"
import { follow, take } from "./EventReader.ts"
import { commitChanges, sampleChange } from "./IndexChanges.ts"

const everything = { types: new Set(["token"]), mints: undefined }
const CHARACTERS = 10_000
const commit = (id: number) =>
  commitOf(decodeCommit(id, "[]".padEnd(CHARACTERS)), () => assert.fail("it has no change"))

describe("What readers have read to catch up", () => {
  it.effect("is bounded for all of them together, and those lose it who have had it longest", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.withFiber(Effect.succeed)
      const readers = Array.from({ length: 5 }, () => new Subscriber(fiber, everything, 0))
      const backlogs = new Backlogs(4 * CHARACTERS)
      for (const reader of readers) {
        backlogs.set(reader, [commit(1), commit(2)])
        assert.isAtMost(backlogs.characters, 4 * CHARACTERS)
      }
      assert.deepStrictEqual(
        readers.map(({ backlog }) => backlog.length),
        [0, 0, 0, 2, 2],
      )
      backlogs.set(
        readers[0]!,
        Array.from({ length: 9 }, (_, id) => commit(id)),
      )
      assert.deepStrictEqual(
        readers.map(({ backlog }) => backlog.length),
        [9, 0, 0, 0, 0],
      )
      backlogs.set(readers[0]!, [])
      assert.strictEqual(backlogs.characters, 0)
    }),
  )
})

layer(TestServer.layer({ stream: { pollMillis: 5, backlogCharactersMax: 1 } }), { excludeTestServices: true })(
  "Readers that take what was read from each other",
  (it) => {
    it.effect("get every event once, in order", () =>
      Effect.gen(function* () {
        const ids: Array<string> = []
        for (let count = 0; count < 12; count++) {
          const changes = Array.from({ length: 10 }, () =>
            sampleChange("token", sampleAddress(), { uri: "x".repeat(20_000) }),
          )
          const id = yield* commitChanges(...changes)
          ids.push(...changes.map((_, index) => `${id}-${index}`))
        }
        const readers = yield* Effect.all(
          Array.from({ length: 4 }, () => follow("", "0")),
          { concurrency: 4 },
        )
        const taken = yield* Effect.all(
          readers.map((reader) => take(reader, ids.length)),
          { concurrency: 4 },
        )
        for (const events of taken)
          assert.deepStrictEqual(
            events.map(({ id }) => id),
            ids,
          )
      }),
    )
  },
)
