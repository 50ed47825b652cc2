import { type ClientRequest, get, type IncomingMessage } from "node:http"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { unstalledClock, unstalledMillis } from "../../../chain/test/UnstalledClock.ts"
import { admitted, type EventReader, follow, take } from "./EventReader.ts"
import { commitChanges, sampleChange } from "./IndexChanges.ts"

/** A client that does not read from its connection until a test resumes it. */
const holdBack = Effect.fnUntraced(function* () {
  const { url } = yield* TestServer
  const response = yield* Effect.callback<IncomingMessage>((resume) => {
    const request: ClientRequest = get(`${url}/api/stream`, { agent: false }, (response) =>
      resume(Effect.succeed(response)),
    )
    request.on("error", () => undefined)
  })
  /** Ids of the whole events that were in flight. */
  const drain = Effect.callback<ReadonlyArray<string>>((resume) => {
    let text = ""
    response.on("data", (chunk) => (text += chunk))
    const whole = () =>
      text
        .split("\n\n")
        .slice(0, -1)
        .flatMap((block) => /^id: (\d+-\d+)$/m.exec(block)?.[1] ?? [])
    response.on("error", () => undefined).on("close", () => resume(Effect.succeed(whole())))
  })
  return { drain }
})

const LARGE = "x".repeat(20_000)

/** Commits large changes, each after this reader has read the one before, until `until` has happened. */
const commitLarge = Effect.fnUntraced(function* (reader: EventReader, until: () => boolean) {
  const ids: Array<string> = []
  while (!until()) {
    const changes = Array.from({ length: 10 }, () => sampleChange("token", sampleAddress(), { uri: LARGE }))
    yield* commitChanges(...changes)
    ids.push(...(yield* take(reader, changes.length)).map(({ id }) => id!))
  }
  return ids
})

for (const [rule, stream] of [
  ["falls out of what is held", { recentCharactersMax: 1_000_000, subscribersMax: 2 }],
  [
    "takes nothing for too long",
    { stallMillis: 200, heartbeatMillis: 50, subscribersMax: 2, recentCharactersMax: 1e9 },
  ],
] as const) {
  // The fast reader is in the same process: it is not late when the machine is busy.
  const server = Layer.provide(TestServer.layer({ stream: { ...stream, pollMillis: 5 } }), unstalledClock)
  layer(server, { excludeTestServices: true })("A slow reader", (it) => {
    it.effect(`that ${rule} is disconnected, others are not, and it can resume where it was`, () =>
      Effect.gen(function* () {
        const fast = yield* follow()
        yield* fast.nextBlock
        const slow = yield* holdBack()
        let hasLeft = false
        const leaving = yield* Effect.forkChild(Effect.tap(admitted, () => Effect.sync(() => (hasLeft = true))))
        const ids = yield* commitLarge(fast, () => hasLeft)
        yield* Fiber.join(leaving)
        const taken = yield* slow.drain
        assert.isAbove(ids.length, taken.length)
        assert.isNotEmpty(taken)
        const back = yield* follow("", taken.at(-1))
        const rest = yield* take(back, ids.length - taken.length)
        assert.deepStrictEqual([...taken, ...rest.map(({ id }) => id)], ids)
      }),
    )
  })
}

const logged: Array<string> = []
const recording = Logger.layer([
  Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${String(message)}`)),
])

layer(TestServer.layer({ stream: { pollMillis: 5 }, observation: recording }), { excludeTestServices: true })(
  "A database outage",
  (it) => {
    it.effect("disconnects no reader, is logged once, and loses nothing", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { request } = yield* TestServer
        const stream = yield* follow()
        yield* stream.nextBlock
        yield* sql`alter table index_changes rename to gone`
        while (!logged.some((line) => line.includes("Following the changes"))) yield* Effect.sleep(5)
        for (let times = 0; times < 20; times++) assert.strictEqual((yield* request("/api/stream")).status, 500)
        yield* sql`alter table gone rename to index_changes`
        const commit = yield* commitChanges(sampleChange("trade", sampleAddress()))
        assert.strictEqual((yield* stream.next).id, `${commit}-0`)
        const ofStream = logged.filter((line) => line.includes("changes of the index"))
        assert.deepStrictEqual(ofStream, ["Warn Following the changes of the index failed and will be retried"])
      }),
    )
  },
)

/** Less than the grace period of requests at a shutdown, which a stream would use up if it were not ended. */
const UNDER_DRAIN_MILLIS = 9_000

describe("A server that shuts down", () => {
  it.live("ends its streams, including stalled ones, without waiting for them", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = TestServer.layer({ stream: { pollMillis: 5, recentCharactersMax: 1e9 }, observation: recording })
      const services = yield* Layer.buildWithScope(Layer.provide(server, unstalledClock), scope)
      yield* Effect.gen(function* () {
        const streams = [yield* follow(), yield* follow("?types=revert"), yield* follow("", "0")]
        yield* holdBack()
        for (const stream of streams) yield* stream.nextBlock
        let rounds = 0
        yield* commitLarge(streams[0]!, () => ++rounds > 100)
        const before = logged.length
        const stoppedAt = unstalledMillis()
        yield* Scope.close(scope, Exit.void)
        assert.isBelow(unstalledMillis() - stoppedAt, UNDER_DRAIN_MILLIS)
        for (const stream of streams) {
          // Data written before is read first.
          assert.strictEqual(yield* Effect.flip(Effect.forever(stream.nextBlock)), "ended")
        }
        assert.deepStrictEqual(logged.slice(before), [])
      }).pipe(Effect.provide(services))
    }),
  )
})
