import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { follow, take } from "./EventReader.ts"
import { commitChanges, commitText, sampleChange } from "./IndexChanges.ts"

const logged: Array<string> = []
const recording = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])

layer(TestServer.layer({ stream: { pollMillis: 5 }, observation: recording }), { excludeTestServices: true })(
  "A stream with changes that this version cannot read",
  (it) => {
    it.effect("sends those it can read, with the ids that every version gives them", () =>
      Effect.gen(function* () {
        const mint = sampleAddress()
        const [first, last] = [sampleChange("trade", mint), sampleChange("trade", mint, { addedLater: 1 })]
        const later = { ...sampleChange("trade", mint), type: "fee" }
        const malformed = sampleChange("pool", mint, { sqrtPrice: 1 })
        const reader = yield* follow()
        yield* reader.nextBlock
        const commit = yield* commitText(JSON.stringify([first, later, null, malformed, last]))
        for (const text of ["", "{}", "[5"]) yield* commitText(text)
        const next = yield* commitChanges(later, sampleChange("pool", mint))
        const ids = [`${commit}-0`, `${commit}-4`, `${next}-1`]
        const events = yield* take(reader, 3)
        assert.deepStrictEqual(
          events.map(({ id }) => id),
          ids,
        )
        assert.deepInclude(events[0]!.data, first)
        assert.notProperty(events[1]!.data, "addedLater")
        // As a replica of a later version may have stopped.
        const again = yield* follow("", `${commit}-1`)
        assert.deepStrictEqual(
          (yield* take(again, 2)).map(({ id }) => id),
          ids.slice(1),
        )
      }),
    )

    it.effect("logs what it skips, the first of each type and ten types at most", () =>
      Effect.gen(function* () {
        const mint = sampleAddress()
        const reader = yield* follow()
        yield* reader.nextBlock
        const linesOfStreams = () => logged.filter((line) => line.startsWith("The stream skipped"))
        for (let kind = 0; kind < 20; kind++) {
          const change = { type: `later ${kind}` }
          yield* commitChanges(change, change, sampleChange("trade", mint))
          yield* commitChanges(change)
        }
        yield* take(reader, 20)
        const lines = linesOfStreams()
        assert.lengthOf(lines, 10)
        assert.lengthOf(new Set(lines.map((line) => line.split(",")[0])), 10)
      }),
    )
  },
)
