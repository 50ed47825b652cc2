import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Answering, answersOf } from "../src/answers/Answers.ts"

const { respond, respondList, respondTagged } = answersOf("tokens")
const { respond: respondOfSystem } = answersOf("system")
const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))
const position = { rank: 0, createdAt: new Date(0), id: "" }
const empty = { paging: {}, read: () => Effect.succeed([]) }
const numbers = { paging: {}, read: () => Effect.succeed([{ item: 1, position }]) }

type Live = Pick<Answering<"system">, "live">
const live = respondOfSystem("live", { data: { live: true } })

/** Never run: that none of these compiles is the test. */
export const wrong = () => [
  // @ts-expect-error a field is missing
  respond("remove", { message: "Token deleted" }),
  // @ts-expect-error a field of the data is missing
  respond("remove", { data: {} }),
  // @ts-expect-error another type
  respond("remove", { data: { deleted: "yes" } }),
  // @ts-expect-error a field too many
  respond("remove", { data: { deleted: true }, more: 1 }),
  // @ts-expect-error a field of the data too many
  respond("remove", { data: { deleted: true, by: "me" } }),
  // @ts-expect-error an endpoint of another group
  respond("quote", { data: { deleted: true } }),
  // @ts-expect-error an answer with an ETag is typed as well
  respondTagged("getById", request, { data: { deleted: true } }),
  // @ts-expect-error a list under another key
  respondList("list", { key: "transactions", ...empty }),
  // @ts-expect-error rows of another list
  respondList("list", { key: "data", ...numbers }),

  // @ts-expect-error a handler that bypasses the responders
  { live: () => Effect.succeed(HttpServerResponse.jsonUnsafe({ live: "yes" })) } satisfies Live,
  // @ts-expect-error a handler that answers with the type of another endpoint
  { live: () => Effect.succeed(respondOfSystem("ready", { data: { ready: true, warnings: [] } })) } satisfies Live,
]

describe("Answers of a group", () => {
  const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse): unknown =>
    body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(body.body)) : undefined

  it("are a success with the given fields", () => {
    const handlers = { live: () => Effect.succeed(live) } satisfies Live
    const answer = Effect.runSync(handlers.live())
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(bodyOf(answer), { success: true, data: { live: true } })
  })

  it("have the status that the endpoint declares", () => {
    // The body does not matter here.
    const { status } = respond("create", { data: undefined as never }, { location: "/api/tokens/1" })
    assert.strictEqual(status, 201)
  })
})
