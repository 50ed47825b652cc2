import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { TestServer } from "../../service/test/TestServer.ts"
import { copiedSwaps } from "./CopiedSwaps.ts"
import { TestBridge } from "./TestBridge.ts"

it.effect("Swaps that need a review are listed apart, in whatever status", () =>
  Effect.gen(function* () {
    const { swap } = yield* TestBridge
    const { request } = yield* TestServer
    const sql = yield* SqlClient
    const user = "userAddress=with-reviews"
    const ids: Array<string> = []
    for (let at = 0; at < 4; at++) {
      ids.push((yield* swap({ userAddress: "with-reviews" })).id)
      yield* TestClock.adjust("1 second")
    }
    yield* sql`update bridge_swaps set needs_review = true, status = 'success' where id = ${ids[1]!}::uuid`
    yield* sql`update bridge_swaps set needs_review = true where id = ${ids[2]!}::uuid`
    const list = Effect.fn(function* (query: string) {
      const { body } = yield* request(`/api/bridge/swaps?${query}`)
      return body.data?.map(({ id }: { id: string }) => id)
    })
    assert.deepStrictEqual(yield* list("needsReview=true"), [ids[2], ids[1]])
    assert.deepStrictEqual(yield* list("needsReview=true&status=success"), [ids[1]])
    assert.deepStrictEqual(yield* list(`needsReview=false&${user}`), [ids[3], ids[0]])
    assert.strictEqual((yield* request("/api/bridge/swaps?needsReview=yes")).body.code, "invalid_request")
    yield* copiedSwaps(ids[0]!, 5_000)
    yield* sql`analyze bridge_swaps`
    const plan = yield* sql<{ readonly "QUERY PLAN": string }>`
      explain select id from bridge_swaps s where s.needs_review order by s.created_at desc, s.id desc limit 101`
    assert.include(JSON.stringify(plan), "bridge_swaps_review")
  }).pipe(Effect.provide(TestBridge.layer())),
)
