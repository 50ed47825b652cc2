import { assert, describe, it } from "@effect/vitest"
import { firstSlotRows, toFirstSlot } from "@launch-registry/server/trust/FirstSlots"
import { SLOT_SHIFT } from "@launch-registry/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import captured from "../../indexer/fixtures/graduations.json" with { type: "json" }
import type { Graduation } from "../../indexer/fixtures/Graduation.ts"
import { fold, lead, receiveTransactions, testIndex } from "../../indexer/test/TestIndex.ts"

const GRADUATIONS = captured as unknown as ReadonlyArray<Graduation>

describe("The first slot of launches that the indexer has folded", () => {
  it.live("has the buys of the slot that created the pool", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [launch] = GRADUATIONS
      const { baseMint, steps, trader } = launch!
      const created = steps.find(({ step }) => step === "create-pool")!
      const later = BigInt(created.slot) + 1n
      // The complete launch happened in one slot; here the last of its buys comes in the next.
      const moved = steps
        .filter(({ step }) => ["create-config", "create-pool", "swap-buy", "swap-complete"].includes(step))
        .map((step) => (step.step === "swap-complete" ? { ...step, slot: Number(later) } : step))
      yield* receiveTransactions(moved)
      yield* fold(yield* lead)
      const trades = yield* sql<{ readonly slot: bigint; readonly baseAmount: string }>`
        select ordinal >> ${sql.literal(String(SLOT_SHIFT))} as slot, base_amount from trades where base_mint = ${baseMint} order by ordinal`
      assert.deepStrictEqual(
        trades.map(({ slot }) => slot),
        [BigInt(created.slot), later],
      )
      const [row] = yield* firstSlotRows(sql, [baseMint])
      const { creator, creatorShare, finality, slot, wallets, walletsShare } = toFirstSlot(row!)
      assert.deepStrictEqual({ slot, finality }, { slot: String(created.slot), finality: "confirmed" })
      const bought = Number((BigInt(trades[0]!.baseAmount) * 1_000_000n) / BigInt(row!.supply!)) / 1_000_000
      assert.isAbove(bought, 0)
      if (creator === trader) assert.deepStrictEqual([creatorShare, wallets, walletsShare], [bought, 0, 0])
      else assert.deepStrictEqual([creatorShare, wallets, walletsShare], [0, 1, bought])
    }).pipe(Effect.provide(testIndex)),
  )
})
