import { assert, describe, it } from "vitest"
import type { ChainChange } from "../src/stream/ChainChange.ts"
import { decodeChanges, encodeChanges, UnreadableChange } from "../src/stream/CommittedChanges.ts"

const ADDRESS = "So11111111111111111111111111111111111111112"
const SEEN = { slot: "7", signature: "signature", time: "2026-11-21T09:30:00.000Z" }
const POOL = { pool: ADDRESS, mintAddress: ADDRESS }

const CHANGES: { readonly [Type in ChainChange["type"]]: Extract<ChainChange, { readonly type: Type }> } = {
  token: {
    ...{ type: "token", ...SEEN, ...POOL, quoteMint: ADDRESS, config: ADDRESS, creator: ADDRESS },
    ...{ name: "Name", symbol: "SYM", uri: "https://example.com" },
  },
  trade: {
    ...{ type: "trade", ...SEEN, ...POOL, quoteMint: ADDRESS, trader: ADDRESS, side: "SELL", venue: "damm_v2" },
    ...{ baseAmount: "1", quoteAmount: "2", fee: "3", sqrtPrice: "4", quoteReserve: "5" },
  },
  pool: { type: "pool", slot: "7", ...POOL, venue: "dbc", sqrtPrice: "4", quoteReserve: null },
  graduation: { type: "graduation", ...SEEN, ...POOL, stage: "migrated", migratedPool: ADDRESS },
  creator: { type: "creator", ...SEEN, pool: ADDRESS, mintAddress: null, creator: ADDRESS },
  liquidity: {
    ...{ type: "liquidity", ...SEEN, ...POOL, quoteMint: ADDRESS, change: "withdrawn", owner: ADDRESS },
    ...{ position: ADDRESS, baseAmount: "1", quoteAmount: "2", liquidity: "3" },
    ...{ lockedUntil: "4", toPosition: ADDRESS, toOwner: ADDRESS },
  },
  revert: { type: "revert", slot: "7", signature: "signature", mintAddresses: [], pools: [ADDRESS], creatorPools: [] },
}
const ALL = Object.values(CHANGES)

describe("The changes of a commit", () => {
  it("are read as they were written, of any type", () => {
    assert.deepStrictEqual(decodeChanges(encodeChanges(ALL)), ALL)
    assert.deepStrictEqual(decodeChanges(encodeChanges([])), [])
  })

  it("are read without fields that a later version added", () => {
    const text = JSON.stringify(ALL.map((change) => ({ ...change, added: { later: [1] } })))
    assert.deepStrictEqual(decodeChanges(text), ALL)
  })

  it("are not read when a field is missing or has an invalid value", () => {
    for (const change of ALL) {
      for (const field of Object.keys(change)) {
        for (const wrong of [undefined, 5, {}, ["x", 5]]) {
          const [read] = decodeChanges(JSON.stringify([{ ...change, [field]: wrong }]))
          assert.instanceOf(read, UnreadableChange, `${change.type}.${field}: ${String(wrong)}`)
        }
      }
    }
  })

  it("keep their places when they cannot be read, with a short description", () => {
    const { pool } = CHANGES
    const strange = [
      { type: "fee", amount: "1" },
      { ...pool, slot: 1 },
      null,
      "pool",
      5,
      [],
      {},
      { type: "x".repeat(1_000) },
    ]
    const read = decodeChanges(JSON.stringify([pool, ...strange, pool]))
    assert.deepStrictEqual([read[0], read.at(-1)], [pool, pool])
    assert.deepStrictEqual(
      read.slice(1, -1).map((change) => (change instanceof UnreadableChange ? change.what : change)),
      [
        'a change of the unknown type "fee"',
        "a malformed change of type pool",
        ...Array.from({ length: 5 }, () => "a change without a type"),
        `a change of the unknown type "${"x".repeat(40)}"`,
      ],
    )
  })

  it("are one unreadable change when the text is not a list", () => {
    for (const text of ["", "{", "null", '{"type":"pool"}', "5"]) {
      const read = decodeChanges(text)
      assert.lengthOf(read, 1)
      assert.instanceOf(read[0], UnreadableChange, text)
    }
  })
})
