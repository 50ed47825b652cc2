import type { TokenTrust } from "@launch-registry/domain/trust/TokenTrust"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { ordinalOf, sampleTrade } from "../launch/IndexedTrades.ts"
import { follow, launch, launchConfig } from "../tokens/ChainLaunches.ts"
import { dataAt } from "../tokens/TokenRequests.ts"

const SLOT = 5n
const SUPPLY = "1000000000"

const firstSlotOf = (mint: string) =>
  Effect.map(dataAt(`/api/tokens/mint/${mint}?include=trust`), ({ trust }) => (trust as TokenTrust).firstSlot)

/** Trades of a launch: where in which slot, by whom, and how much. */
const traded = Effect.fn(function* (
  { baseMint, pool }: { readonly baseMint: string; readonly pool: string },
  trades: ReadonlyArray<readonly [slot: bigint, trader: string, side: "BUY" | "SELL", baseAmount: string]>,
) {
  const sql = yield* SqlClient
  for (const [at, [slot, trader, side, baseAmount]] of trades.entries()) {
    const trade = sampleTrade({ baseMint, pool, trader, side, baseAmount, ordinal: ordinalOf(slot, BigInt(at + 1)) })
    yield* sql`insert into trades ${sql.insert({ ...trade })}`
  }
})

layer(TestServer.layer(), { timeout: "60 seconds" })("The first slot of a pool", (it) => {
  it.effect("has what others than its creator bought in it, less what each sold, and nothing of later slots", () =>
    Effect.gen(function* () {
      const made = yield* launch({ config: yield* launchConfig(), supply: SUPPLY, createdSlot: SLOT })
      yield* follow
      const none = { slot: "5", creator: made.creator, finality: "confirmed" }
      assert.deepStrictEqual(yield* firstSlotOf(made.baseMint), {
        ...{ ...none, creatorShare: 0, wallets: 0, walletsShare: 0 },
      } as never)
      const [one, two, seller] = [sampleAddress(), sampleAddress(), sampleAddress()]
      yield* traded(made, [
        [SLOT, made.creator, "BUY", "50000000"],
        [SLOT, one, "BUY", "100000000"],
        [SLOT, one, "BUY", "100000000"],
        [SLOT, two, "BUY", "1999"],
        // It bought and sold: one of the wallets, with nothing left.
        [SLOT, seller, "BUY", "70000000"],
        [SLOT, seller, "SELL", "70000000"],
        [SLOT - 1n, sampleAddress(), "BUY", "400000000"],
        [SLOT + 1n, sampleAddress(), "BUY", "400000000"],
        [SLOT + 1n, one, "SELL", "100000000"],
      ])
      // Another pool of the same mint, such as an AMM pool.
      yield* traded({ ...made, pool: sampleAddress() }, [[SLOT, sampleAddress(), "BUY", "300000000"]])
      assert.deepStrictEqual(yield* firstSlotOf(made.baseMint), {
        ...{ ...none, creatorShare: 0.05, wallets: 3, walletsShare: 0.200001 },
      } as never)
    }),
  )

  it.effect("is finalized once everything of it is compared with the chain", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const made = yield* launch({ config: yield* launchConfig(), createdSlot: 60n })
      yield* follow
      const cover = (from: bigint, to: bigint) => sql`
        insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset)
        values (${from}, ${to}, 'test', now(), 0)`
      yield* cover(10n, 59n)
      assert.strictEqual((yield* firstSlotOf(made.baseMint))!.finality, "confirmed")
      yield* cover(60n, 60n)
      assert.strictEqual((yield* firstSlotOf(made.baseMint))!.finality, "finalized")
    }),
  )

  it.effect("has no shares while the supply is not known, and no creator while the launch is not indexed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const made = yield* launch({ config: yield* launchConfig(), createdSlot: SLOT })
      yield* follow
      yield* traded(made, [[SLOT, sampleAddress(), "BUY", "5"]])
      yield* sql`update dbc_pools set supply = null where pool = ${made.pool}`
      yield* sql`delete from dbc_events where pool = ${made.pool}`
      assert.deepInclude(yield* firstSlotOf(made.baseMint), {
        ...{ creator: null, creatorShare: null, wallets: 1, walletsShare: null },
      })
    }),
  )
})
