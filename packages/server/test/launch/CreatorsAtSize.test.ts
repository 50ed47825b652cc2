import { assert, layer } from "@effect/vitest"
import { CREATOR_LAUNCHES_MAX } from "@launch-registry/domain/launch/CreatorFigures"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { creatorFigures } from "../../src/launch/Creators.ts"
import { PLAN_MODES } from "../PlanNodes.ts"
import { readingOf } from "../PreparedPlans.ts"

const LAUNCHES = 40_000
const [most, few, nobody] = [sampleAddress(), sampleAddress(), sampleAddress()]
/** Launches of each. */
const CREATORS = [
  [most, 10_400],
  [few, 40],
  [nobody, 0],
] as const

/** Launches, of which a quarter are one creator's; each was traded in one minute. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into launch_listings (pool, base_mint, config, creator, quote_mint, stage, is_registered, launched_at, progress)
    select 'pool' || n, 'mint' || n, 'config',
      case when n % 100 < 26 then ${most} when n % 1000 = 50 then ${few} else 'creator' || n % 900 end,
      ${SOL}, 'curve', n % 4 = 0, timestamptz '2026-11-01Z' + interval '1 second' * n, 0
    from generate_series(1, ${LAUNCHES}::int) n`
  yield* sql`
    insert into candles (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume,
      quote_volume, trades)
    select 'mint' || n, seconds, to_timestamp(0), 1, 1, 1, 1, 1, 1, 1, 1, 1
    from generate_series(1, ${LAUNCHES}::int) n, unnest(array[0, 60]) s (seconds)`
  yield* sql`analyze launch_listings, candles`
})

const filled = Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer)

layer(filled, { timeout: "60 seconds" })("Figures of a creator among many", (it) => {
  it.effect("read its launches and their candles and no others, with plans of either kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const figures = yield* creatorFigures
      for (const mode of PLAN_MODES)
        for (const [creator, launches] of CREATORS) {
          const read = Effect.andThen(
            sql`select set_config('plan_cache_mode', ${mode}, true)`,
            figures(creator as never),
          )
          const counted = Math.min(launches, CREATOR_LAUNCHES_MAX + 1)
          const said = JSON.stringify({ mode, launches })
          const { found, rows } = yield* readingOf(["launch_listings"], read)
          assert.strictEqual(found.launches, counted, said)
          assert.strictEqual(found.isWhole, launches === counted, said)
          // Of one that has launched a quarter of them the newest of all are as good.
          if (launches < counted) assert.strictEqual(rows, launches, said)
          const candles = yield* readingOf(["candles"], read)
          assert.deepStrictEqual([candles.rows, candles.scans], [counted, 0], said)
        }
    }),
  )
})
