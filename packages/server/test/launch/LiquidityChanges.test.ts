import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress, sampleSignature } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool, ordinalOf } from "./IndexedTrades.ts"

layer(TestServer.layer())("Changes of the liquidity of a migrated pool", (it) => {
  it.effect("are listed newest first, page by page, and none of another pool or of another kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const [mint, migrated, owner, position] = [sampleAddress(), sampleAddress(), sampleAddress(), sampleAddress()]
      yield* indexPool(mint, {})
      const list = Effect.fnUntraced(function* (query = "") {
        const { body, status } = yield* request(`/api/launch/pool/${mint}/liquidity${query}`)
        assert.strictEqual(status, 200, JSON.stringify(body))
        return body
      })
      const index = Effect.fnUntraced(function* (
        slot: bigint,
        change: string,
        pool = migrated,
        type = "LiquidityChanged",
      ) {
        const signature = sampleSignature()
        const amounts = { baseAmount: "5", quoteAmount: "7", liquidity: String(2n ** 70n) }
        yield* sql`
          insert into dbc_events (ordinal, signature, type, pool, facts, block_time)
          values (${ordinalOf(slot)}, ${signature}, ${type}, ${pool},
            ${JSON.stringify({ type, pool, owner, position, change, ...amounts })}::jsonb, '2026-11-21T09:30:00Z')`
        return signature
      })
      const added = yield* index(10n, "added")
      const withdrawn = yield* index(11n, "withdrawn")
      yield* index(12n, "withdrawn", sampleAddress())
      yield* index(13n, "withdrawn", migrated, "PositionFeeClaimed")
      assert.deepStrictEqual((yield* list()).data, [])

      yield* sql`update dbc_pools set migrated_pool = ${migrated} where base_mint = ${mint}`
      yield* sql`
        insert into coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
        values (${migrated}, 1, 10, 'test', now(), 0)`
      const first = yield* list("?limit=1")
      assert.deepStrictEqual(first.data, [
        {
          ...{
            signature: withdrawn,
            slot: "11",
            time: "2026-11-21T09:30:00.000Z",
            change: "withdrawn",
            owner,
            position,
          },
          ...{ baseAmount: "5", quoteAmount: "7", liquidity: String(2n ** 70n), finality: "confirmed" },
          ...{ lockedUntil: null, toPosition: null, toOwner: null },
        },
      ])
      const second = yield* list(`?limit=1&cursor=${first.pagination.nextCursor}`)
      assert.deepInclude(second.data[0], { signature: added, change: "added", finality: "finalized" })
      assert.isNull(second.pagination.nextCursor)
    }),
  )
})
