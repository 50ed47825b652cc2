import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { BeginAttempt } from "../../src/rpc/CallSpan.ts"
import { Endpoint } from "../../src/rpc/Endpoint.ts"
import { DEAD_URL, hang, standInNode, until } from "./StandInNode.ts"

it.live("A request that is given up ends as such, and one that fails ends with its fault", () =>
  Effect.gen(function* () {
    const node = (yield* standInNode).behave("getSlot", hang)
    const ended: Array<readonly [endpoint: string, fault: string | undefined, isGivenUp: boolean]> = []
    const beginAttempt: BeginAttempt = (_, endpoint) => ({
      headers: {},
      end: (fault, isGivenUp) => void ended.push([endpoint, fault?._tag, isGivenUp]),
    })
    const ask = (name: string, url: string, signal: AbortSignal) => {
      const clock = { now: () => performance.now(), timeMillis: () => Date.now() }
      const endpoint = new Endpoint({ name, url: Redacted.make(url), ...clock, admit: () => undefined })
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getSlot", params: [] })
      return endpoint.ask({ method: "getSlot", id: 1, params: [], body, beginAttempt }, signal, () => undefined)
    }
    const hedge = new AbortController()
    const asked = ask("slow", node.url, hedge.signal)
    yield* until(Effect.sync(() => node.calls.includes("getSlot")))
    hedge.abort()
    yield* Effect.promise(() => asked)
    yield* Effect.promise(() => ask("dead", DEAD_URL, new AbortController().signal))
    const [slow, dead] = ended
    assert.deepStrictEqual([slow?.[0], slow?.[2]], ["slow", true])
    // Which fault a dead port gives is the operating system's.
    assert.deepStrictEqual([dead?.[0], dead?.[1] === undefined, dead?.[2]], ["dead", false, false])
  }),
)
