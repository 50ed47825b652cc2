import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { launchRows, type LaunchScope } from "../../src/launch/ListLaunches.ts"
import { listings } from "../../src/markets/Listings.ts"
import { marketRows } from "../../src/markets/Markets.ts"
import { PLAN_MODES, planNodes, rowsReadBy } from "../PlanNodes.ts"
import { readingOf } from "../PreparedPlans.ts"
import { MADE_OF, manyLaunches } from "./ManyLaunches.ts"

const LAUNCHES = 10_000

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* manyLaunches(LAUNCHES)
  yield* sql`
    insert into holder_counts (mint_address, holders, is_whole, counted_at)
    select base_mint, 1, true, now() from dbc_pools`
  yield* sql`analyze dbc_pools, trades, tokens, launch_configs, holder_counts`
  yield* Effect.repeat(listings(sql).step, { until: ({ isListed }) => isListed })
  yield* sql`analyze launch_listings`
})

const [config, creator, quoteMint] = [MADE_OF.configs[1], MADE_OF.creators[1], MADE_OF.quotes[1]]
const NOWHERE = "So11111111111111111111111111111111111111112"

const SCOPES: ReadonlyArray<Partial<LaunchScope>> = [
  ...[{}, { stage: "curve" as const }, { stage: "completed" as const }, { stage: "migrated" as const }],
  ...[
    { configs: [config] },
    { configs: [config, NOWHERE] },
    { creator },
    { quoteMint },
    { quoteMint: NOWHERE },
    { configs: [NOWHERE] },
    { configs: [config], quoteMint: NOWHERE },
  ],
  ...[{ sort: "progress" as const }, { sort: "graduated" as const }, { sort: "progress" as const, creator: NOWHERE }],
  ...(["progress", "graduated"] as const).map((sort) => ({ sort, configs: [config, NOWHERE] })),
  { stage: "completed", configs: [config, NOWHERE] },
]

const NO_FILTER: LaunchScope = {
  ...{ sort: "newest", stage: undefined, registered: "any" },
  ...{ configs: undefined, creator: undefined, quoteMint: undefined, mints: undefined },
}

/** How many rows each reading of a table may find, at most. */
const assertBounded = Effect.fn(function* (statement: Statement<unknown>, bound: number, said: object) {
  for (const mode of PLAN_MODES)
    for (const node of yield* planNodes(mode, statement)) {
      if (node["Relation Name"] === undefined) continue
      const what = JSON.stringify({ ...said, mode, node })
      // A handful of rows, as configurations are here, is read as a whole, and the one row of progress.
      if (!["launch_configs", "indexer_progress"].includes(node["Relation Name"]))
        assert.notInclude(node["Node Type"], "Seq Scan", what)
      assert.isAtMost(rowsReadBy(node), bound, what)
    }
})

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer), { timeout: "60 seconds" })(
  "Of many launches",
  (it) => {
    it.effect("a page is read by an index of its scope, wherever it begins", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { oldest } = (yield* sql<{ readonly oldest: ReadonlyArray<string> }>`
          select array(select base_mint from dbc_pools order by created_at, pool limit 99) as oldest`)[0]!
        // The oldest launches, which a walk of any order would find last.
        const ofMints: typeof SCOPES = [{ mints: [...oldest, NOWHERE] }, { mints: oldest.slice(0, 1) }]
        for (const fields of [...SCOPES, ...ofMints])
          for (const registered of ["true", "false", "any"] as const)
            for (const after of [
              undefined,
              { key: fields.sort === "progress" ? 400_000 : 1_793_600_000, pool: NOWHERE },
              // The highest that a cursor can have: whoever makes one up gets a page.
              { key: 253_402_300_799, pool: NOWHERE },
            ]) {
              const scope: LaunchScope = { ...NO_FILTER, registered, ...fields }
              const { rows, scans } = yield* readingOf(
                ["launch_listings"],
                launchRows(sql, scope, { after, limit: 21 }),
              )
              assert.strictEqual(scans, 0, JSON.stringify({ scope, after }))
              assert.isAtMost(rows, 12 * 21, JSON.stringify({ scope, after }))
            }
      }),
    )

    it.effect("the figures of a page are read by its mints, with plans of either kind", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rows = yield* sql<{ readonly baseMint: string }>`select base_mint from dbc_pools order by pool limit 100`
        const statement = marketRows(
          sql,
          rows.map(({ baseMint }) => baseMint),
        )
        yield* assertBounded(statement as Statement<unknown>, 101, {})
      }),
    )
  },
)
