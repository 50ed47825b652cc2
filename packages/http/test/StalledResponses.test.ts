import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { endStalledResponses } from "../src/listener/StalledResponses.ts"
import { nodeListener } from "./NodeListener.ts"
import { openRaw, requestText } from "./RawConnection.ts"

const GET = requestText("GET", "/", {})
/** More than the kernel buffers of an answer that nobody reads. */
const LARGE = Buffer.alloc(40_000_000, "x")
/** Within the share of each of six connections, also where the kernel takes nothing. */
const LESS = LARGE.subarray(0, 16_000_000)
const ENOUGH = { stallMillis: 600_000, unsentBytesMax: 1e9, patienceMillis: 600_000 }

const until = (condition: () => boolean) =>
  Effect.gen(function* () {
    while (!condition()) yield* Effect.sleep(5)
  })

describe("A connection whose client does not read", () => {
  it.live("is closed and its memory freed, while a slow reader gets its whole answer", () =>
    Effect.gen(function* () {
      // Much more than needed to observe a slow reader, also on a busy machine: the kernel buffers in large steps.
      const limited = { ...ENOUGH, stallMillis: 8_000 }
      const { connections, url } = yield* nodeListener(
        (server) => endStalledResponses(server, limited),
        (_, response) => void response.end(LARGE),
      )
      for (let count = 0; count < 10; count++) (yield* openRaw(url, GET)).socket.pause()
      const slow = yield* openRaw(url, GET)
      // In pieces with pauses, at most 1.3 MB/s from the first byte on, for as long as the others are connected.
      let [ofPiece, isSlow] = [0, true]
      slow.socket.removeAllListeners("data").on("data", ({ length }) => {
        ofPiece += length
        if (!isSlow || ofPiece < 131_072) return
        ofPiece = 0
        slow.socket.pause()
        setTimeout(() => slow.socket.resume(), 100)
      })
      yield* until(() => connections.size === 11)
      yield* until(() => connections.size <= 1)
      assert.strictEqual(connections.size, 1)
      isSlow = false
      yield* until(() => slow.socket.bytesRead > LARGE.length || connections.size === 0)
      assert.isAbove(slow.socket.bytesRead, LARGE.length)
    }),
  )

  it.live("is closed also when the response has ended and the client stays", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* nodeListener(
        (server) => endStalledResponses(server, { ...ENOUGH, stallMillis: 100 }),
        (request) => void request.socket.end(),
      )
      const { socket } = yield* openRaw(url, GET)
      socket.allowHalfOpen = true
      yield* until(() => connections.size === 1)
      yield* until(() => connections.size === 0)
    }),
  )

  it.live("is closed early when all of them hold too much memory, the largest first and none within its share", () =>
    Effect.gen(function* () {
      const limited = { ...ENOUGH, unsentBytesMax: 100_000_000, patienceMillis: 200 }
      const { connections, url } = yield* nodeListener(
        (server) => endStalledResponses(server, limited),
        ({ url }, response) => void response.end(url === "/" ? LARGE : url === "/less" ? LESS : "small"),
      )
      const opened: Array<Socket> = []
      const open = Effect.fnUntraced(function* (path: string) {
        const count = opened.length + 1
        const { socket } = yield* openRaw(url, requestText("GET", path, {}))
        socket.pause()
        yield* until(() => opened.push(...[...connections].filter((socket) => !opened.includes(socket))) === count)
      })
      yield* open("/less")
      for (let count = 0; count < 5; count++) yield* open("/")
      yield* until(() => connections.size <= 4)
      assert.include([...connections], opened[0])
      const { until: answered } = yield* openRaw(url, requestText("GET", "/small", {}))
      assert.include(yield* answered(/small/), " 200 OK")
    }),
  )
})
