import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const issuesOf = Effect.fn(function* (tags: unknown) {
  const { request } = yield* TestServer
  const { body, status } = yield* request("/api/tokens", { json: tokenDraft({ tags }) })
  assert.deepStrictEqual([status, body.code], [400, "invalid_request"])
  return body.issues as ReadonlyArray<unknown>
})

layer(TestServer.layer())("A body with more faults than somebody reads", (it) => {
  it.effect("is told of a hundred of them, and how many more there are", () =>
    Effect.gen(function* () {
      for (const fault of [1, "\0"]) {
        const issues = yield* issuesOf(Array(9_000).fill(fault))
        assert.lengthOf(issues, 101)
        assert.deepStrictEqual(issues.at(-1), { path: "body", message: "and 8900 more faults" })
      }
    }),
  )

  it.effect("is not read value by value when it has more values than any request", () =>
    Effect.gen(function* () {
      for (const many of [Array(100_000).fill(1), Object.fromEntries(Array(50_000).fill(1).entries())])
        assert.deepStrictEqual(yield* issuesOf(many), [
          { path: "body", message: "expected JSON with at most 10000 values" },
        ])
    }),
  )
})
