import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { AnswerTooLarge } from "../../src/rpc/HttpTarget.ts"
import { faultOfThrown } from "../../src/rpc/FaultOfAnswer.ts"
import { HttpConnection } from "../../src/rpc/HttpConnection.ts"
import { jsonServer } from "../JsonServer.ts"

const MEGABYTE = " ".repeat(1024 * 1024)
const LIMIT_BYTES = 3_000_000

/** A server whose answers would be a gigabyte, and how many megabytes of it were written. */
const pouring = (status: number) =>
  Effect.gen(function* () {
    const written = { megabytes: 0 }
    const url = yield* jsonServer((_, response) => {
      response.writeHead(status)
      const pour = (): void => {
        if (!response.destroyed && written.megabytes++ < 1_000) response.write(MEGABYTE, pour)
      }
      pour()
    })
    const connection = yield* Effect.acquireRelease(
      Effect.sync(() => new HttpConnection(Redacted.make(url), LIMIT_BYTES)),
      (open) => Effect.promise(() => open.close()),
    )
    return { connection, written }
  })

describe("A connection", () => {
  it.live("reads no more of an answer than it may have", () =>
    Effect.gen(function* () {
      const { connection, written } = yield* pouring(200)
      const thrown = yield* Effect.flip(Effect.tryPromise((signal) => connection.post("{}", signal)))
      assert.instanceOf(thrown.cause, AnswerTooLarge)
      assert.deepStrictEqual(faultOfThrown(thrown.cause), { _tag: "TooLarge", limitBytes: LIMIT_BYTES })
      assert.isBelow(written.megabytes, 100)
    }),
  )

  it.live("takes the status of an error whose page is longer than that", () =>
    Effect.gen(function* () {
      const { connection, written } = yield* pouring(502)
      const reply = yield* Effect.promise((signal) => connection.post("{}", signal))
      assert.deepStrictEqual(reply, { status: 502, retryAfter: undefined, text: "" })
      assert.isBelow(written.megabytes, 100)
    }),
  )
})
