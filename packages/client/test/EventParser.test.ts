import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { eventParser, type ParsedEvent } from "../src/EventParser.ts"

const STREAM = [
  "retry: 2000\n: changes of the index\nid: 4\n\n",
  'id: 5-0\nevent: token\ndata: {"name":"a: b"}\n\n',
  "event: trade\r\ndata: 1\r\ndata: 2\r\n\r\n",
  "data\n\nid: 6\n\n",
].join("")

const EVENTS: ReadonlyArray<ParsedEvent> = [
  { event: "token", data: '{"name":"a: b"}', id: "5-0" },
  { event: "trade", data: "1\n2", id: undefined },
  { event: "message", data: "", id: undefined },
]

describe("Server-sent events", () => {
  it.prop(
    "are the same wherever the text is cut",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: STREAM.length - 1 })))],
    ([cuts]) => {
      const places = [0, ...new Set(cuts), STREAM.length].sort((a, b) => a - b)
      const parse = eventParser()
      const parsed = places.slice(1).map((end, index) => parse(STREAM.slice(places[index], end)))
      assert.deepStrictEqual(
        parsed.flatMap(({ events }) => events),
        EVENTS,
      )
      assert.strictEqual(parsed.at(-1)!.lastId, "6")
    },
  )

  it("are not passed by an id whose event is not complete", () => {
    const parse = eventParser()
    assert.strictEqual(parse("id: 1\n\nid: 2\nevent: trade\ndata: 1\n").lastId, "1")
    assert.strictEqual(parse("\n").lastId, "2")
  })

  it("leave a line without end", () => {
    const parse = eventParser()
    assert.throws(() => parse("x".repeat(1_000_001)), /without end/)
  })
})
