import { CONFUSABLE_MAX } from "@launch-registry/domain/trust/TokenTrust"
import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { confusableRows, confusableTokens } from "../../src/trust/ConfusableTokens.ts"
import { firstSlotRows } from "../../src/trust/FirstSlots.ts"
import { labelRows, namedRows } from "../../src/trust/NamedTokens.ts"
import { tokenSkeletons } from "../../src/trust/TokenSkeletons.ts"
import { PLAN_MODES, planNodes } from "../PlanNodes.ts"
import { readingOf } from "../PreparedPlans.ts"
import { compareNames, storedSkeletons } from "./CompareNames.ts"

const LOOKALIKES = 20_000
const OTHERS = 20_000

const stem = sampleAddress().slice(0, -6)
const mintOf = (n: number) => stem + String(100_000 + n).replaceAll("0", "z")

/** Launches with one name, half of them with other letters for it; as many with names of their own; a few of each verified or traded. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const mint = sql.literal(`'${stem}' || replace((100000 + n)::text, '0', 'z')`)
  yield* sql`
    insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, decimals, supply, created_slot, created_at)
    select 'P' || ${mint}, ${mint}, ${SOL}, 'config', 'creator',
      case when n > ${LOOKALIKES}::int then 'Name ' || n when n % 2 = 0 then 'Pepe' else '\u0420\u0435p\u0435' end,
      case when n > ${LOOKALIKES}::int then 'S' || n else 'PEPE' end, '', 0, 6, 1000, n, now()
    from generate_series(1, ${LOOKALIKES + OTHERS}::int) n`
  yield* sql`
    insert into tokens (id, mint_address, name, symbol, description, total_supply, decimals, owner, launchpad, created_at,
      updated_at, verified)
    select gen_random_uuid(), base_mint, 'Pepe', 'PEPE', '', 1, 6, creator, 'launchpad_a', now(), now(), created_slot < 13000
    from dbc_pools where created_slot between 12000 and 14000`
  yield* sql`
    insert into trading_windows (span, base_mint, traders, trades, quote_volume)
    select '7d', base_mint, created_slot, 1, created_slot * 1000 from dbc_pools where created_slot % 3 = 0`
  yield* sql`
    insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
      next_sqrt_price, block_time)
    select (created_slot + g) << ${sql.literal(String(SLOT_SHIFT))}, base_mint, pool, base_mint, quote_mint, 'trader' || g, 'BUY', 1, 1, 0, 1, now()
    from dbc_pools, generate_series(0, 9) g where created_slot % 40 = 0`
  yield* compareNames
  yield* sql`analyze dbc_pools, tokens, trades, trading_windows, token_skeletons`
})

/** Some lookalikes, the first and last of them, one of those that are verified, and others. */
const MINTS = [1, 2, 6_000, 12_500, 19_999, 20_000, 20_040, 30_000, 39_999].map(mintOf)
/** Rows of these: a name and a symbol, each with two keys at most. */
const SUBJECTS = MINTS.length * 4

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer), { timeout: "120 seconds" })(
  "Of many tokens with one name",
  (it) => {
    it.effect("few are read for each that is asked about, by an index, with plans of either kind", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const [said, statement, bound] of [
          ["confusable", confusableRows(sql, MINTS), SUBJECTS * 2],
          ["named", namedRows(sql, MINTS), MINTS.length],
          ["labels", labelRows(sql, MINTS), MINTS.length],
          ["first slots", firstSlotRows(sql, MINTS), MINTS.length],
        ] as const)
          for (const mode of PLAN_MODES)
            for (const node of yield* planNodes(mode, statement as Statement<unknown>)) {
              if (node["Relation Name"] === undefined) continue
              const what = JSON.stringify({ said, mode, node })
              // Empty, or one row.
              if (
                ["coverage", "indexer_progress", "launch_configs", "dbc_events", "server_progress"].includes(
                  node["Relation Name"],
                )
              )
                continue
              assert.notInclude(node["Node Type"], "Seq Scan", what)
              const read =
                node["Actual Rows"] +
                (node["Rows Removed by Filter"] ?? 0) +
                (node["Rows Removed by Index Recheck"] ?? 0)
              assert.isAtMost(read * node["Actual Loops"], bound, what)
            }
      }),
    )

    it.effect("an answer names a few: the verified, the oldest and the largest", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const found = yield* confusableTokens(sql)(MINTS)
        assert.sameMembers([...found.keys()], MINTS)
        for (const tokens of found.values()) assert.isAtMost(tokens.length, CONFUSABLE_MAX)
        const reasonsOf = (n: number) =>
          new Map(found.get(mintOf(n))!.map(({ mintAddress, reasons }) => [mintAddress as string, reasons.join()]))
        assert.deepStrictEqual(reasonsOf(30_000), new Map())
        const last = reasonsOf(19_999)
        assert.strictEqual(last.get(mintOf(1)), "older")
        assert.strictEqual(last.get(mintOf(2)), "older")
        assert.deepStrictEqual([...last.values()].sort(), [
          "larger",
          "larger",
          "older",
          "older",
          "verified",
          "verified",
        ])
        // It is verified itself.
        assert.notInclude([...reasonsOf(12_500).values()], "verified")
        assert.isFalse([...reasonsOf(1).values()].some((reasons) => reasons.includes("older")))
      }),
    )

    it.effect("sizes of the most traded are moved on without comparing all", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const before = yield* storedSkeletons
        yield* sql`update trading_windows set quote_volume = quote_volume * 4 where base_mint = ${mintOf(39_999)}`
        const { rows, scans } = yield* readingOf(["token_skeletons"], tokenSkeletons(sql).resize)
        assert.strictEqual(scans, 0)
        // Of 2,000 tokens, each with up to four rows.
        assert.isAtMost(rows, 2_000 * 4 + 10)
        const changed = (yield* storedSkeletons).filter(({ size }, at) => size !== before[at]!["size"])
        assert.deepStrictEqual(
          changed.map((row) => [row["mintAddress"], row["field"], row["size"]]),
          [
            [mintOf(39_999), "name", 27],
            [mintOf(39_999), "symbol", 27],
          ],
        )
      }),
    )
  },
)
