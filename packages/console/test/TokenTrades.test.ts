import { assert, describe, it } from "@effect/vitest"
import type { TradeSeen } from "@launch-registry/client"
import {
  rowOfTrade,
  TRADES_MAX,
  withOlderPage,
  withoutReverted,
  withPage,
  withSeen,
} from "../src/browser/token/Trades.ts"

const seen = (slot: number, fields: Partial<TradeSeen> = {}): TradeSeen => ({
  ...{ type: "trade", slot: String(slot), signature: `signature ${slot}`, time: "2026-11-21T09:30:00.000Z" },
  ...{ mintAddress: "base", quoteMint: "quote", pool: "pool", venue: "dbc", trader: "trader", side: "BUY" },
  ...{ baseAmount: String(slot), quoteAmount: "2", fee: "0", sqrtPrice: "1", quoteReserve: null },
  ...{ price: "1", marketCap: null, quoteProgress: null, finality: "confirmed", priceUsd: null, quoteAmountUsd: null },
  ...fields,
})
const row = (slot: number, fields: Partial<TradeSeen> = {}) => rowOfTrade(seen(slot, fields))
const rows = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => row(from - index))
const slots = (of: ReadonlyArray<{ readonly slot: string }>) => of.map(({ slot }) => Number(slot))

describe("The list of trades", () => {
  it("has what the stream says in front, and nothing twice", () => {
    const shown = withSeen(rows(5, 3), [seen(5), seen(6), seen(7), seen(7)])
    assert.deepStrictEqual(slots(shown), [7, 6, 5, 4, 3])
    assert.strictEqual(withSeen(shown, [seen(7)]), shown)
  })

  it("has both swaps of a transaction", () => {
    const pair = [seen(9, { baseAmount: "1" }), seen(9, { baseAmount: "2" })]
    assert.lengthOf(withSeen([], pair), 2)
  })

  it("keeps what a read does not have yet, and what was read before it", () => {
    const { isConnected, rows: shown } = withPage(rows(8, 1), rows(6, 4))
    assert.isTrue(isConnected)
    assert.deepStrictEqual(slots(shown), [8, 7, 6, 5, 4, 3, 2, 1])
  })

  it("begins with the page where a read does not reach what was read before", () => {
    const { isConnected, rows: shown } = withPage(rows(5, 1), rows(90, 80))
    assert.isFalse(isConnected)
    assert.deepStrictEqual(slots(shown), slots(rows(90, 80)))
    assert.deepStrictEqual(withPage(rows(5, 1), []), { rows: [], isConnected: false })
  })

  it("gets older pages behind, and never more than it can hold", () => {
    assert.deepStrictEqual(slots(withOlderPage(rows(9, 6), rows(7, 3))), [9, 8, 7, 6, 5, 4, 3])
    assert.lengthOf(withOlderPage(rows(3_000, 2_001), rows(2_000, 1)), TRADES_MAX)
    assert.lengthOf(
      withSeen(
        rows(1_000, 1),
        rows(1_100, 1_001).map(({ slot }) => seen(Number(slot))),
      ),
      TRADES_MAX,
    )
  })

  it("loses what was rolled back", () => {
    const shown = rows(5, 1)
    assert.deepStrictEqual(slots(withoutReverted(shown, new Set(["signature 4"]))), [5, 3, 2, 1])
    assert.strictEqual(withoutReverted(shown, new Set(["another"])), shown)
  })
})
