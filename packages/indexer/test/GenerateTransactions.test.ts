import { assert, describe, it } from "@effect/vitest"
import type { DbcEvent } from "@launch-registry/chain/transactions/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import { type GeneratedBlock, recordedOf, type TruthEvent } from "../fixtures/GeneratedModel.ts"
import { generateChain } from "../fixtures/GenerateTransactions.ts"

const OPTIONS = { slots: 90, transactionsPerSlot: 12, failedShare: 0.03, isLarge: false } as const

/** The expected decoding of an event. */
const expected = (event: TruthEvent): Readonly<Record<string, unknown>> => {
  const { blockTime, innerInstruction, instruction, signature, slot, transactionIndex, ...fact } = event
  const at = { signature, slot, transactionIndex, instruction, innerInstruction, blockTimeSeconds: blockTime }
  if (fact.type === "Swapped") {
    const { baseAmount, quoteAmount, ...rest } = fact
    const [amountIn, amountOut] = fact.side === "BUY" ? [quoteAmount, baseAmount] : [baseAmount, quoteAmount]
    return { ...rest, amountIn, amountOut, at }
  }
  if (fact.type === "ConfigCreated") {
    const { migrationQuoteThreshold: _threshold, ...rest } = fact
    return { ...rest, at }
  }
  return { ...fact, at }
}

const assertDecoded = (decoded: ReadonlyArray<DbcEvent>, events: ReadonlyArray<TruthEvent>, about: string) => {
  assert.strictEqual(decoded.length, events.length, about)
  for (const [index, event] of decoded.entries()) {
    assert.deepInclude({ ...event } as Readonly<Record<string, unknown>>, expected(events[index]!), about)
  }
}

const assertTrue = (blocks: Iterable<GeneratedBlock>) => {
  for (const { blockTime, slot, transactions } of blocks) {
    let index = -1
    for (const transaction of transactions) {
      const { truth } = recordedOf(transaction)
      assert.strictEqual(transaction.slot, slot)
      assert.strictEqual(transaction.blockTime, blockTime)
      assert.isAbove(transaction.indexWithinBlock!, index)
      index = transaction.indexWithinBlock!
      assertDecoded(decodeTransaction(transaction), truth.events, `${slot}/${index} ${truth.signature}`)
    }
  }
}

describe("Generated transactions", () => {
  it.each([1, 2, 3, 4, 5, 20_261_121])("of seed %i decode to the model of the generator", (seed) => {
    const { blocks, truth } = generateChain({ ...OPTIONS, seed })
    assertTrue(blocks)
    assert.lengthOf(blocks, OPTIONS.slots)
    for (const transaction of truth.transactions) {
      if (transaction.isFailed) assert.lengthOf(transaction.events, 0)
    }
    const told = [truth.trades, truth.configs, truth.pools, truth.completions, truth.migrations, truth.others]
    const happened = truth.transactions.reduce((count, { events }) => count + events.length, 0)
    assert.strictEqual(
      told.reduce((count, events) => count + events.length, 0),
      happened,
    )
    for (const kind of told) assert.isNotEmpty(kind)
    assert.isTrue(truth.transactions.some(({ isFailed }) => isFailed))
    assert.strictEqual(new Set(truth.transactions.map(({ signature }) => signature)).size, truth.transactions.length)
  })

  it("contain everything that occurs on the chain", () => {
    const { blocks, truth } = generateChain({ seed: 6, slots: 400, isLarge: false })
    const all = blocks.flatMap(({ transactions }) => transactions)
    assert.sameMembers(
      [...new Set(all.map((one) => (one as { readonly version?: unknown }).version))],
      ["legacy", 0, 1],
    )
    assert.isTrue(all.some(({ meta }) => meta.loadedAddresses!.writable.length > 0 && meta.err === null))
    assert.isTrue(truth.trades.some(({ innerInstruction }) => innerInstruction >= 0))
    for (const venue of ["dbc", "damm_v2"])
      assert.isTrue(truth.trades.some((trade) => trade.venue === venue && trade.quoteReserve === undefined))
    assert.isTrue(truth.trades.some(({ baseAmount }) => baseAmount > (1n << 64n) - 1001n))
    assert.isTrue(truth.trades.some(({ quoteAmount }) => quoteAmount > (1n << 64n) - 1001n))
    assert.sameMembers([...new Set(truth.pools.map(({ poolType }) => poolType))], [0, 1])
    assert.sameMembers([...new Set(truth.configs.map(({ tokenDecimal }) => tokenDecimal))], [6, 7, 8, 9])
    assert.lengthOf(new Set(truth.others.map(({ type }) => type)), 9)
    assert.isTrue(truth.transactions.some(({ events }) => events.filter(({ type }) => type === "Swapped").length > 1))
    const firstBuys = truth.transactions.filter(({ events }) => events[0]?.type === "PoolCreated" && events.length > 1)
    assert.isNotEmpty(firstBuys)
    assert.isTrue(blocks.some(({ transactions }) => transactions.at(-1)!.indexWithinBlock! > transactions.length))
  })
})
