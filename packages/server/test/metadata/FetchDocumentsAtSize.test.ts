import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { documentQueue } from "../../src/metadata/DocumentQueue.ts"
import { inPlanMode, readingOf } from "../PreparedPlans.ts"
import { PLAN_MODES } from "../PlanNodes.ts"

const LAUNCHES = 50_000
const BATCH = 8
const READ_MAX = 1_000

/** Many launches that name one host, many hosts of which nothing is due, some that are, and many documents that were fetched. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into fetched_documents (mint, uri, site, attempts, due_at, document, source, fetched_at)
    select 'm' || n, 'https://x.example/' || n,
      case n % 4 when 0 then 'many.example' when 1 then 'host-' || n || '.example' when 2 then 'due-' || n % 40 || '.example' else 'ipfs' end,
      case n % 4 when 1 then 3 else 0 end,
      case n % 4 when 0 then now() - n * interval '1 second' when 1 then now() + interval '1 day'
        when 2 then now() end,
      case when n % 4 = 3 then '{}'::jsonb end, case when n % 4 = 3 then 'x' end, case when n % 4 = 3 then now() end
    from generate_series(1, ${LAUNCHES}::int) n`
  yield* sql`analyze fetched_documents`
})

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer), { excludeTestServices: true })(
  "Among many documents",
  (it) => {
    it.effect("those that are due are found and claimed by the index, whatever the plan", () =>
      Effect.gen(function* () {
        const { claim, dueSites } = yield* documentQueue
        for (const mode of PLAN_MODES) {
          const sites = yield* inPlanMode(mode, readingOf(["fetched_documents"], dueSites("due")))
          assert.deepStrictEqual([sites.found.sites.length, sites.scans], [10, 0], mode)
          assert.isAtMost(sites.rows, READ_MAX, mode)
          const claimed = yield* inPlanMode(mode, readingOf(["fetched_documents"], claim("many.example", BATCH)))
          assert.deepStrictEqual([claimed.found.length, claimed.scans], [BATCH, 0], mode)
          assert.isAtMost(claimed.rows, READ_MAX, mode)
          const none = yield* inPlanMode(mode, readingOf(["fetched_documents"], claim("ipfs", BATCH)))
          assert.deepStrictEqual([none.found.length, none.scans], [0, 0], mode)
          assert.isAtMost(none.rows, READ_MAX, mode)
        }
      }),
    )
  },
)
