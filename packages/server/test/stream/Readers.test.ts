import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Random, randomOf } from "../../../service/test/Random.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { admitted, follow } from "./EventReader.ts"
import { commitChanges, sampleChange } from "./IndexChanges.ts"

/** Reads events until the one with this id, over connections that break after a few events each. */
const readInParts = Effect.fnUntraced(function* (query: string, from: string, last: string, random: Random) {
  const ids: Array<string> = []
  for (let id = from; id !== last;) {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const reader = yield* follow(query, id)
        for (let left = random(40); left >= 0 && id !== last; left--) {
          id = (yield* reader.next).id!
          ids.push(id)
        }
      }).pipe(Effect.ignore),
    )
  }
  return ids
})

layer(TestServer.layer({ stream: { recentCharactersMax: 20_000, pollMillis: 5 } }), { excludeTestServices: true })(
  "Readers that disconnect and reconnect",
  (it) => {
    it.effect("receive everything exactly once and in order while the indexer commits, wherever they disconnect", () =>
      Effect.gen(function* () {
        const random = randomOf(7)
        const mint = sampleAddress()
        const start = String(yield* commitChanges(sampleChange("trade", mint)))
        const sizes = Array.from({ length: 400 }, () => random(5))
        const all = sizes.flatMap((size, commit) =>
          Array.from({ length: size }, (_, at) => `${Number(start) + commit + 1}-${at}`),
        )
        const end = `${Number(start) + sizes.length + 1}-0`
        const writer = yield* Effect.forkChild(
          Effect.gen(function* () {
            for (const size of sizes) {
              const changes = Array.from({ length: size }, (_, at) =>
                sampleChange(at % 2 === 0 ? "trade" : "pool", mint),
              )
              yield* commitChanges(...changes)
            }
            yield* commitChanges(sampleChange("trade", mint))
          }),
        )
        const readers = yield* Effect.all(
          [
            readInParts("", start, end, randomOf(1)),
            readInParts("", start, end, randomOf(2)),
            readInParts(`?mintAddresses=${mint}&types=trade`, start, end, randomOf(3)),
            readInParts(`?types=pool,trade`, start, end, () => Number.POSITIVE_INFINITY),
          ],
          { concurrency: "unbounded" },
        )
        yield* Fiber.join(writer)
        const trades = all.filter((id) => Number(id.split("-")[1]) % 2 === 0)
        for (const [index, ids] of readers.entries())
          assert.deepStrictEqual(ids, [...(index === 2 ? trades : all), end], `reader ${index}`)
      }),
    )
  },
)

layer(TestServer.layer({ stream: { heartbeatMillis: 20 } }), { excludeTestServices: true })("A quiet stream", (it) => {
  it.effect("sends comments with an id to resume from, though it sends no events", () =>
    Effect.gen(function* () {
      const quiet = yield* follow("?types=revert")
      const loud = yield* follow()
      const commit = yield* commitChanges(sampleChange("trade", sampleAddress()))
      yield* loud.next
      for (;;) {
        const block = yield* quiet.nextBlock
        assert.isUndefined(block.data)
        assert.isString(block.comment)
        if (block.id === String(commit)) break
      }
      const again = yield* follow("", String(commit))
      const next = yield* commitChanges(sampleChange("trade", sampleAddress()))
      assert.strictEqual((yield* again.next).id, `${next}-0`)
    }),
  )
})

layer(TestServer.layer({ stream: { subscribersMax: 1 } }), { excludeTestServices: true })(
  "At the subscriber limit",
  (it) => {
    it.effect("one more subscriber is refused in the envelope until another one leaves", () =>
      Effect.gen(function* () {
        const { fetch, request } = yield* TestServer
        assert.strictEqual((yield* fetch("/api/stream", { method: "HEAD" })).status, 200)
        const only = yield* follow()
        yield* only.nextBlock
        const { body, headers, status } = yield* request("/api/stream")
        assert.strictEqual(status, 503)
        assert.deepInclude(body, { success: false, code: "busy", details: { resource: "streams" } })
        assert.isString(headers.get("retry-after"))
        yield* only.close
        yield* admitted
      }),
    )
  },
)
