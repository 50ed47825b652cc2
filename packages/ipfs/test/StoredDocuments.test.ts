import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { PLAN_MODES, planNodes } from "../../server/test/PlanNodes.ts"
import { LISTED_BYTES_MAX, storedDocuments } from "../src/content/StoredDocuments.ts"

const UPLOADS = 10_000
const PAGE = 100

/** Every 50th is too large, and every 70th no document. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into ipfs_uploads (cid, content_type, size_bytes, created_at, used_at, links)
    select 'document' || n, case when n % 70 = 0 then 'image/png' else 'application/json' end,
      case when n % 50 = 0 then ${LISTED_BYTES_MAX + 1}::bigint else ${LISTED_BYTES_MAX}::bigint end, now(), now(), '{}'
    from generate_series(1, ${UPLOADS}::int) n`
  yield* sql`insert into ipfs_blocks (cid, bytes) select cid, '{}' from ipfs_uploads`
  yield* sql`analyze ipfs_uploads, ipfs_blocks`
})

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))("Documents of a page", (it) => {
  it.effect("are read by their CIDs, those that are small, with plans of either kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const cids = Array.from({ length: PAGE }, (_, n) => `document${n * 10 + 10}`)
      const statement = storedDocuments(sql, [...cids, "elsewhere"])
      const expected = cids.filter((_, n) => (n * 10 + 10) % 50 !== 0 && (n * 10 + 10) % 70 !== 0)
      assert.deepStrictEqual((yield* statement).map(({ cid }) => cid).toSorted(), expected.toSorted())
      for (const mode of PLAN_MODES)
        for (const node of yield* planNodes(mode, statement as Statement<unknown>)) {
          if (node["Relation Name"] === undefined) continue
          const what = JSON.stringify({ mode, node })
          assert.notInclude(node["Node Type"], "Seq Scan", what)
          const read = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)
          assert.isAtMost(read * node["Actual Loops"], PAGE, what)
        }
    }),
  )
})
