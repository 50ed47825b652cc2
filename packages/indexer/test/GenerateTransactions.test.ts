import { assert, describe, it } from "@effect/vitest"
import type { DbcEvent } from "@launch-registry/chain/transactions/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { deliver } from "../fixtures/DeliverTransactions.ts"
import { forkOf } from "../fixtures/ForkBlock.ts"
import { type GeneratedBlock, recordedOf, type TruthEvent } from "../fixtures/GeneratedModel.ts"
import { generateBlocks, generateChain, type GenerateOptions } from "../fixtures/GenerateTransactions.ts"

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

const textOf = (options: GenerateOptions): string => JSON.stringify([...generateBlocks(options)])

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

  it("never trade a pool before its creation or after its curve is complete, and its AMM pool only after the migration", () => {
    const { truth } = generateChain({ ...OPTIONS, seed: 9 })
    const stages = new Map<string, "trading" | "complete" | "migrated">()
    const migrated = new Set<string>()
    let swapsAfterMigration = 0
    for (const event of truth.transactions.flatMap(({ events }) => events)) {
      if (event.type === "PoolCreated") stages.set(event.pool, "trading")
      if (event.type === "Swapped" && event.venue === "dbc") assert.strictEqual(stages.get(event.pool), "trading")
      if (event.type === "Swapped" && event.venue === "damm_v2") {
        assert.isTrue(migrated.has(event.pool))
        swapsAfterMigration++
      }
      if (event.type === "CurveComplete") stages.set(event.pool, "complete")
      if (event.type === "PoolMigrated") {
        assert.strictEqual(stages.get(event.pool), "complete")
        stages.set(event.pool, "migrated")
        migrated.add(event.migratedPool)
      }
    }
    assert.isAbove(swapsAfterMigration, 20)
  })

  it("are the same for the same seed and different for another; their size does not change the events", () => {
    assert.strictEqual(textOf({ ...OPTIONS, seed: 9 }), textOf({ ...OPTIONS, seed: 9 }))
    assert.notStrictEqual(textOf({ ...OPTIONS, seed: 9 }), textOf({ ...OPTIONS, seed: 10 }))
    const [small, large] = [false, true].map((isLarge) => generateChain({ ...OPTIONS, seed: 9, isLarge }))
    assert.deepStrictEqual(large!.truth, small!.truth)
  })

  it("of full size are as large as real ones", () => {
    const blocks = [...generateBlocks({ seed: 11, slots: 60 })]
    const transactions = blocks.flatMap((block) => block.transactions)
    assert.approximately(JSON.stringify(transactions).length / transactions.length, 6500, 700)
    assertTrue(blocks)
  })
})

describe("A block of a fork", () => {
  it("lacks some transactions, has some others, and decodes to its own model", () => {
    const { blocks, truth } = generateChain({ ...OPTIONS, seed: 12 })
    const signatures = new Set(truth.transactions.map(({ signature }) => signature))
    let others = 0
    for (const [index, block] of blocks.entries()) {
      const fork = forkOf(block, index)
      assertTrue([fork.block])
      assert.strictEqual(JSON.stringify(fork.block), JSON.stringify(forkOf(block, index).block))
      assert.isTrue(block.transactions.some((transaction) => !fork.block.transactions.includes(transaction)))
      for (const { signature } of fork.truth.transactions) if (!signatures.has(signature)) others++
    }
    assert.isAbove(others, OPTIONS.slots)
  })

  it("does not change the chain", () => {
    const options = { ...OPTIONS, seed: 13 }
    const texts: Array<string> = []
    for (const block of generateBlocks(options)) {
      texts.push(JSON.stringify(block))
      forkOf(block, 1)
    }
    assert.strictEqual(`[${texts.join(",")}]`, textOf(options))
  })
})

/** The transaction of an element, as far as its key tells. */
const keyOf = (element: unknown): string | undefined => {
  const { slot, transaction } = (element ?? {}) as { readonly slot?: unknown; readonly transaction?: unknown }
  const signature = (transaction as Partial<RawTransaction["transaction"]> | undefined)?.signatures?.[0]
  return typeof slot === "number" && typeof signature === "string" ? `${slot} ${signature}` : undefined
}

const elementsOf = (body: string): ReadonlyArray<unknown> => {
  const parsed = JSON.parse(body) as unknown
  return Array.isArray(parsed) ? parsed : [parsed]
}

describe("Deliveries", () => {
  const { blocks, truth } = generateChain({ ...OPTIONS, seed: 14 })
  const order = truth.transactions.map(({ signature, slot }) => `${slot} ${signature}`)
  const faults = { seed: 1, duplicateShare: 0.1, shuffleWindow: 30, poisonShare: 0.1, batchMax: 8 }

  it("without faults contain every transaction once, in order", () => {
    const { bodies, ...poison } = deliver(blocks, { seed: 1 })
    assert.deepStrictEqual(
      bodies.flatMap(elementsOf).map((element) => keyOf(element)),
      order,
    )
    assert.deepStrictEqual(poison, { unreadable: [], undecodable: [], meaningless: [] })
  })

  it("contain every transaction at least once, some twice, and out of order within the window", () => {
    const { bodies, meaningless, undecodable, unreadable } = deliver(blocks, faults)
    assert.deepStrictEqual(deliver(blocks, faults).bodies, bodies)
    assert.isTrue(bodies.every((body) => elementsOf(body).length <= faults.batchMax))
    assert.isTrue(bodies.some((body) => body.startsWith("{")))
    const keys = bodies.flatMap(elementsOf).map((element) => keyOf(element))
    const firsts = [...new Set(keys)]
    const poisoned = undecodable.length + meaningless.length
    assert.includeMembers(firsts, order)
    // One of the keys is that of the elements without one.
    assert.strictEqual(firsts.length, order.length + poisoned + 1)
    assert.isAbove(keys.length, order.length + poisoned + unreadable.length)
    assert.notDeepEqual(
      firsts.filter((key) => order.includes(key!)),
      order,
    )
    const twiceInOne = bodies.map((body) =>
      elementsOf(body)
        .map((element) => keyOf(element))
        .filter(Boolean),
    )
    assert.isTrue(twiceInOne.some((own) => new Set(own).size < own.length))
  })

  it("know which elements are not transactions", () => {
    const { bodies, meaningless, undecodable, unreadable } = deliver(blocks, { ...faults, poisonShare: 0.5 })
    const elements = bodies.flatMap(elementsOf)
    assert.lengthOf(
      elements.filter((element) => keyOf(element) === undefined),
      unreadable.length,
    )
    const byKey = new Map(elements.map((element) => [keyOf(element), element as RawTransaction]))
    for (const { kind, signature, slot } of undecodable) {
      assert.throws(() => decodeTransaction(byKey.get(`${slot} ${signature}`)!), TypeError, undefined, kind)
    }
    for (const { signature, slot } of meaningless) {
      assert.deepStrictEqual(decodeTransaction(byKey.get(`${slot} ${signature}`)!), [])
    }
    assert.isAbove(new Set(unreadable).size, 8)
    assert.isAbove(new Set(undecodable.map(({ kind }) => kind)).size, 5)
    assert.isNotEmpty(meaningless)
  })
})
