import { assert, describe, it } from "vitest"
import { connect, type RegistryError, type StreamEvent } from "../src/Client.ts"
import { refusal, standIn } from "./StandIn.ts"

const trade = (id: string) => `id: ${id}\nevent: trade\ndata: {"type":"trade","price":"é${id}"}\n\n`

const collected = async (events: AsyncIterable<StreamEvent>, count: number): Promise<ReadonlyArray<string>> => {
  const seen: Array<string> = []
  for await (const event of events) if (seen.push("id" in event ? event.id : event.event) === count) break
  return seen
}

describe("The stream", () => {
  it("goes on after the last event when the connection breaks, anywhere", async () => {
    const whole = `retry: 2000\n: changes of the index\nid: 7\n\n${trade("8-0")}${trade("8-1")}`
    const bytes = Buffer.from(whole)
    for (const cut of [0, 40, 50, 90, 91, bytes.indexOf("é") + 1, bytes.length - 1, bytes.length]) {
      await using registry = await standIn(({ path }, response, count) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        if (count === 1) {
          response.write(bytes.subarray(0, cut), () => setTimeout(() => response.destroy(), 20))
          return
        }
        const last = new URL(path, "http://x").searchParams.get("lastEventId")
        const left = ["8-0", "8-1", "9-0"].filter((id) => last === null || id > last)
        response.write(left.map(trade).join(""))
      })
      const { stream } = connect({ baseUrl: registry.url })
      assert.deepStrictEqual(await collected(stream.changes({ mintAddresses: ["a", "b"], types: "trade" }), 3), [
        "8-0",
        "8-1",
        "9-0",
      ])
      assert.strictEqual(registry.asked[0]!.path, "/api/stream?mintAddresses=a%2Cb&types=trade")
    }
  })

  it("begins where the caller left, and sends its credentials", async () => {
    await using registry = await standIn(({ headers, path }, response) => {
      assert.strictEqual(headers["authorization"], "Bearer k")
      response.write(
        `id: 10\nevent: reset\ndata: {"reason":"unknown_id"}\n\n${trade(new URL(path, "http://x").search)}`,
      )
    })
    const { stream } = connect({ baseUrl: registry.url, headers: () => ({ authorization: "Bearer k" }) })
    const events = await collected(stream.changes({ lastEventId: "9-1" }), 2)
    assert.deepStrictEqual(events, ["10", "?lastEventId=9-1"])
  })

  it("is opened again when the registry is busy, and not when it refuses", async () => {
    await using registry = await standIn((_, response, count) => {
      if (count === 1) return refusal(503, "limit_reached", { "retry-after": "0" })
      if (count === 2) return { status: 502, body: "<html>" }
      response.write(trade("1-0"))
      return undefined
    })
    const { stream } = connect({ baseUrl: registry.url })
    assert.deepStrictEqual(await collected(stream.changes(), 1), ["1-0"])
    for (const told of [refusal(400, "invalid_request"), { status: 404, body: "<html>" }]) {
      await using strict = await standIn(() => told)
      const fault = await collected(connect({ baseUrl: strict.url }).stream.changes(), 1).catch(
        (error: unknown) => error,
      )
      assert.include(["invalid_request", "unexpected_answer"], (fault as RegistryError).code)
      assert.strictEqual(strict.asked.length, 1)
    }
  })

  it("ends its connection when it is left or aborted", async () => {
    let open = 0
    await using registry = await standIn((_, response) => {
      open++
      response.on("close", () => open--)
      response.write(trade("1-0"))
    })
    const closed = async () => {
      while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const { stream } = connect({ baseUrl: registry.url })
    await collected(stream.changes(), 1)
    await closed()
    const leaving = new AbortController()
    const reason = new Error("left")
    const events = stream.changes({}, { signal: leaving.signal })
    await events.next()
    const next = events.next().catch((error: unknown) => error)
    leaving.abort(reason)
    assert.strictEqual(await next, reason)
    await closed()
  })

  it("says when it is connected, and that it is not any more", async () => {
    await using registry = await standIn((_, response, count) => {
      response.write(trade(`${count}-0`), () => setTimeout(() => count === 1 && response.destroy(), 20))
    })
    const states: Array<boolean> = []
    const { stream } = connect({ baseUrl: registry.url })
    await collected(stream.changes({}, { onConnection: (isOpen) => states.push(isOpen) }), 2)
    assert.deepStrictEqual(states, [true, false, true, false])
  })
})
