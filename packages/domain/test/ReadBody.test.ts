import { assert, describe, it } from "vitest"
import { readBody } from "../src/http/ReadBody.ts"

/** A body without an end, in pieces of `size` bytes; says how many were asked for, and whether it was cancelled. */
const endless = (size: number) => {
  const seen = { pieces: 0, isCancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      seen.pieces++
      controller.enqueue(new Uint8Array(size))
    },
    cancel: () => {
      seen.isCancelled = true
    },
  })
  return { seen, response: new Response(stream) }
}

describe("The body of an answer", () => {
  it("is read up to a bound", async () => {
    assert.strictEqual(String(await readBody(new Response("four"), 4)), "four")
    assert.isUndefined(await readBody(new Response("fours"), 4))
    assert.strictEqual((await readBody(new Response(null), 0))?.length, 0)
  })

  it("is not read any further, and given back to its sender", async () => {
    const { response, seen } = endless(1_000)
    assert.isUndefined(await readBody(response, 10_000))
    assert.isTrue(seen.isCancelled)
    // One may be read ahead.
    assert.isAtMost(seen.pieces, 12)
  })
})
