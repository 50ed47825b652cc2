import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seeds } from "../../../../scripts/Laws.ts"
import { makePartitions } from "../../src/partitions/MakePartitions.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { interleaved, outcome, receivedAtOnce } from "../replay/InterleavedRebuild.ts"
import { digest, fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import { blocks, cut, FIRST, liveBounds, liveTree, provenTo, rowsOf } from "./PartitionedIndex.ts"

const indexes = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as does from pg_indexes
    where schemaname = 'public' and tablename in ('trades', 'candles') order by indexname`,
)

describe("Partitioned tables", () => {
  it.live.each(seeds(3, 40))(
    "are those of an index without partitions, however often a rebuild stops, whatever is received and reverted (%s)",
    (seed) =>
      Effect.gen(function* () {
        const cutUp = Effect.gen(function* () {
          const fence = yield* lead
          yield* cut()
          const before = yield* liveTree
          const bodies = yield* interleaved(blocks, fence, seed)
          assert.deepStrictEqual(yield* liveTree, before)
          assert.isAbove((yield* rowsOf("trades")).length, 5)
          assert.isAtLeast((yield* rowsOf("candles")).length, 3)
          return { bodies, found: yield* outcome, indexes: yield* indexes }
        }).pipe(Effect.provide(testIndex))
        const { bodies, found, indexes: named } = yield* cutUp
        yield* Effect.gen(function* () {
          const { dropped, ...wanted } = yield* receivedAtOnce(bodies, found.standing, yield* lead)
          assert.isAbove(dropped, 0)
          assert.deepStrictEqual(found, wanted)
          assert.deepStrictEqual(named, yield* indexes)
        }).pipe(Effect.provide(testIndex))
      }),
  )

  it.live("undone to any slot are those up to that slot, while partitions are made beside", () =>
    Effect.gen(function* () {
      const sink = yield* Sink
      const fence = yield* lead
      yield* cut({ trades: [0n, BigInt(FIRST), BigInt(FIRST + 5)], minutes: [0n, 498_611n, 498_612n] })
      const upTo: Array<unknown> = []
      for (const { slot, transactions } of blocks) {
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        upTo.push([slot, yield* digest])
        if (slot % 7 !== 0) continue
        yield* provenTo(slot - 10)
        yield* makePartitions(fence, undefined)
      }
      assert.isAbove((yield* liveBounds()).length, 8)
      for (const [slot, tables] of upTo.toReversed() as ReadonlyArray<[number, unknown]>) {
        yield* sink.undo(BigInt(slot), fence)
        assert.deepStrictEqual(yield* digest, tables as never, `undone to slot ${slot}`)
      }
    }).pipe(Effect.provide(testIndex)),
  )
})
