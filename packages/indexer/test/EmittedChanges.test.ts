import { assert, describe, it } from "@effect/vitest"
import { CHANGE_TYPES, type ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { decodeChanges, encodeChanges } from "@launch-registry/domain/stream/CommittedChanges"
import { generateChain } from "../fixtures/GenerateTransactions.ts"
import { changesOf } from "../src/modules/DatabaseChanges.ts"
import { changesOfEvents, changesOfReverted, changesOfTrades } from "../src/sink/EmittedChanges.ts"
import { capturedTransactions } from "../src/sources/CapturedTransactions.ts"

describe("Emitted changes of a batch", () => {
  it("are read exactly as they were written, and there is one of every type", () => {
    const { blocks } = generateChain({ seed: 5, slots: 90, transactionsPerSlot: 12, isLarge: false })
    const emitted: Array<ChainChange> = []
    for (const transactions of [blocks.flatMap((block) => block.transactions), capturedTransactions]) {
      const { events, trades } = changesOf(transactions)
      const mints = events.flatMap(({ facts }) =>
        facts.type === "PoolCreated" ? [[facts.pool, facts.baseMint] as const] : [],
      )
      emitted.push(...changesOfEvents(events, new Map(mints)), ...changesOfTrades(trades, trades[0]!.blockTime))
      const entries = events.map(({ signature }) => ({ logOffset: 1n, position: 0, slot: 1n, signature }))
      const takenBack = events.map((event) => ({
        ...event,
        baseMint: event.facts.type === "PoolCreated" ? event.facts.baseMint : null,
      }))
      emitted.push(...changesOfReverted(entries, takenBack))
    }
    assert.deepStrictEqual(decodeChanges(encodeChanges(emitted)), emitted)
    assert.sameMembers([...new Set(emitted.map(({ type }) => type))], [...CHANGE_TYPES])
    const stages = emitted.flatMap((change) => (change.type === "graduation" ? [change.stage] : []))
    assert.sameMembers([...new Set(stages)], ["completed", "migrated"])
  })
})
