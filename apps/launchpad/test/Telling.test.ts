import { assert, describe, it } from "@effect/vitest"
import type { StreamEvent } from "@launch-registry/client"
import { afterEach, beforeEach, vi } from "vitest"
import { telling } from "../src/token/Telling.ts"

const event = (type: StreamEvent["event"], signature: string) => ({ event: type, data: { signature } }) as StreamEvent

const heard = () => {
  const told: Array<string> = []
  const ended = new AbortController()
  const listener = {
    onChange: () => void told.push("change"),
    onTrades: (trades: ReadonlyArray<{ readonly signature: string }>) =>
      void told.push(trades.map(({ signature }) => signature).join(" ")),
  }
  return { told, ended, ...telling(new Set([listener]), ended.signal) }
}

describe("What comes by the stream of a token", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("has the page read again every other second, however often the token changes", () => {
    const { changed, onEvent, told } = heard()
    changed()
    for (let n = 0; n < 100; n++) {
      onEvent(event("creator", `${n}`))
      vi.advanceTimersByTime(100)
    }
    assert.deepStrictEqual(
      told,
      Array.from({ length: 5 }, () => "change"),
    )
    vi.advanceTimersByTime(60_000)
    assert.strictEqual(told.length, 6)
    onEvent(event("graduation", "late"))
    vi.advanceTimersByTime(250)
    assert.strictEqual(told.length, 7)
  })

  it("is told together, in its order, without what was rolled back, and not once nobody looks", () => {
    const { ended, onEvent, told } = heard()
    for (const signature of ["a", "b", "c"]) onEvent(event("trade", signature))
    onEvent(event("revert", "b"))
    vi.advanceTimersByTime(250)
    assert.deepStrictEqual(told, ["a c", "change"])
    onEvent(event("trade", "d"))
    onEvent(event("revert", "x"))
    ended.abort()
    vi.advanceTimersByTime(60_000)
    assert.strictEqual(told.length, 2)
  })
})
