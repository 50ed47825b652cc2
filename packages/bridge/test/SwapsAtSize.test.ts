import { assert, layer } from "@effect/vitest"
import type { SwapFilter } from "@launch-registry/domain/bridge/BridgeApi"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readingOf } from "../../server/test/PreparedPlans.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { listSwaps } from "../src/ListSwaps.ts"
import { copiedSwaps } from "./CopiedSwaps.ts"
import { TestBridge } from "./TestBridge.ts"

const SWAPS = 20_000
const LIMIT = 20
const [MANY, FEW, EARLY] = ["a-user-of-many", "a-user-of-few", "an-early-user"]

/** Every second swap is of one user. Failed ones, those that need a review and those of the early user are old, but for reviews of others. */
const fill = Effect.gen(function* () {
  const { swap } = yield* TestBridge
  const sql = yield* SqlClient
  const { depositAddress, id } = yield* swap()
  yield* copiedSwaps(id, SWAPS)
  yield* sql`
    update bridge_swaps s set created_at = date '2026-01-01' + (n / 3) * interval '1 minute',
      user_address = case when n < 1200 then ${EARLY} when n % 2 = 0 then ${MANY} when n % 5001 = 0 then ${FEW} else 'user' || n end,
      status = case when n between 900 and 1100 then 'failed' when n % 100 = 0 then 'pending' else 'success' end,
      needs_review = n between 1000 and 1400 or (n % 2 = 1 and n > 18000)
    from (select id, row_number() over (order by deposit_address) as n from bridge_swaps) numbered
    where s.id = numbered.id`
  yield* sql`vacuum analyze bridge_swaps`
  return depositAddress
})

const WORST: ReadonlyArray<SwapFilter> = [
  {},
  { userAddress: MANY },
  { userAddress: FEW },
  { userAddress: "nobody" },
  { status: "success" },
  { status: "failed" },
  { userAddress: MANY, status: "failed" },
  { userAddress: MANY, status: "pending" },
  { needsReview: "true" },
  { needsReview: "false" },
  { needsReview: "true", status: "failed" },
  { needsReview: "true", status: "success" },
  { needsReview: "true", userAddress: MANY },
  { needsReview: "true", userAddress: EARLY },
  { needsReview: "false", userAddress: EARLY },
  { needsReview: "true", userAddress: MANY, status: "success" },
  { needsReview: "false", userAddress: EARLY, status: "failed" },
]

/** Ids by reading every swap. */
const expectedIds = Effect.fn(function* ({ depositAddress, needsReview, status, userAddress }: SwapFilter) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly id: string }>`
    select id from bridge_swaps
    where user_address = coalesce(${userAddress ?? null}::text, user_address)
      and deposit_address = coalesce(${depositAddress ?? null}::text, deposit_address)
      and status = coalesce(${status ?? null}::text, status)
      and needs_review = coalesce(${needsReview === undefined ? null : needsReview === "true"}::boolean, needs_review)
    order by created_at desc, id desc`
  return rows.map(({ id }) => id)
})

layer(TestBridge.layer())("A list of many swaps", (it) => {
  it.effect("has what reading them all finds, in few rows by the index of a filter", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const depositAddress = yield* fill
      const filters: ReadonlyArray<SwapFilter> = [
        ...WORST,
        { depositAddress },
        { depositAddress, userAddress: MANY, needsReview: "true" },
      ]
      for (const filter of filters) {
        const expected = yield* expectedIds(filter)
        const said = JSON.stringify(filter)
        const ids: Array<string> = []
        let after: Position | undefined
        while (ids.length < 10 * LIMIT) {
          const page = listSwaps(sql, filter, { after, limit: LIMIT, offset: 0 })
          const { found, rows } = yield* readingOf(["bridge_swaps"], page)
          // Where half of the swaps are found, all are as good.
          if (Object.keys(filter).length <= 1) assert.isAtMost(rows, 3 * LIMIT, said)
          ids.push(...found.map(({ id }) => id))
          if (found.length < LIMIT) break
          after = found.at(-1)
        }
        assert.deepStrictEqual(ids, expected.slice(0, ids.length), said)
        assert.isAtLeast(ids.length, Math.min(expected.length, 10 * LIMIT), said)
      }
      // By HTTP with an offset, too.
      for (const filter of filters) {
        const expected = yield* expectedIds(filter)
        const query = new URLSearchParams({ ...(filter as Record<string, string>), limit: "50", offset: "30" })
        const { body, status } = yield* request(`/api/bridge/swaps?${query}`)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(
          body.data.map(({ id }: { readonly id: string }) => id),
          expected.slice(30, 80),
          String(query),
        )
      }
    }),
  )
})
