import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { faultOfThrown } from "../../src/rpc/FaultOfAnswer.ts"
import { isSuspect } from "../../src/rpc/MethodPolicy.ts"
import { HttpConnection } from "../../src/rpc/HttpConnection.ts"
import { jsonServer } from "../JsonServer.ts"

const MEGABYTE = " ".repeat(1024 * 1024)

describe("A connection", () => {
  it.live("reads no more than its size limit, which a request may set", () =>
    Effect.gen(function* () {
      let written = 0
      const url = yield* jsonServer((_, response) => {
        const pour = (): void => {
          if (!response.destroyed && written++ < 1_000) response.write(MEGABYTE, pour)
        }
        pour()
      })
      const connection = new HttpConnection(Redacted.make(url))
      const thrown = yield* Effect.promise(() =>
        connection.post("{}", new AbortController().signal).then(
          () => undefined,
          (error: unknown) => error,
        ),
      )
      assert.deepStrictEqual(faultOfThrown(thrown), { _tag: "Malformed" })
      assert.isTrue(isSuspect(faultOfThrown(thrown)))
      assert.isBelow(written, 200)
      yield* Effect.promise(() => connection.close())
    }),
  )
})
