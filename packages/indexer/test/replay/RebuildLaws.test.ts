import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { deliver } from "../../fixtures/DeliverTransactions.ts"
import { generateChain } from "../../fixtures/GenerateTransactions.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { isRebuildDue } from "../../src/replay/BeginReplay.ts"
import { rebuild } from "../../src/replay/Rebuild.ts"
import type { LogEntry } from "../../src/sink/InboxStatements.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { digest, fold, forget, lead, receive, receiveTransactions, testIndex } from "../TestIndex.ts"
import { derivedByOthers, lettersOf, shadowProgress, stopAfter } from "./StoppedReplay.ts"

const { blocks } = generateChain({ seed: 23, slots: 40, transactionsPerSlot: 6, isLarge: false })

const keyOf = ({ signature, slot }: LogEntry): string => `${slot} ${signature}`

/** Receives, folds, reverts and takes turns with a rebuild that stops again and again, at random. */
const interleaved = Effect.fnUntraced(function* (fence: Fence, seed: number) {
  const sql = yield* SqlClient
  const sink = yield* Sink
  const random = new SeededRandom(seed)
  const { bodies } = deliver(blocks, {
    ...{ seed, duplicateShare: 0.2, shuffleWindow: 40, poisonShare: 0.03, batchMax: 5 },
  })
  let dropped: ReadonlyArray<string> = []
  const drop = Effect.gen(function* () {
    const entries =
      yield* sql<LogEntry>`select log_offset, position, slot, signature from inbox_transactions order by slot, signature`
    const gone = entries.filter(() => random.chance(0.04))
    yield* sink.drop(gone, "test", fence)
    dropped = [...dropped, ...gone.map(({ signature }) => signature)]
  })
  /** The chain has it after all. */
  const redeliver = Effect.gen(function* () {
    const back = new Set(dropped.filter(() => random.chance(0.5)))
    yield* receiveTransactions(
      blocks.flatMap(({ transactions }) =>
        transactions.filter(({ transaction }) => back.has(transaction.signatures[0]!)),
      ),
    )
  })

  let received = Math.floor(bodies.length / 3)
  yield* receive(bodies.slice(0, received))
  yield* fold(fence)
  yield* derivedByOthers
  let runs = 0
  while (received < bodies.length) {
    const more = random.between(1, 6)
    yield* receive(bodies.slice(received, received + more))
    received += more
    if (runs > 0 && random.chance(0.7)) yield* fold(fence)
    if (runs > 0 && random.chance(0.5)) yield* drop
    if (random.chance(0.5)) yield* redeliver
    const stopped = rebuild(fence, stopAfter(random.between(1, 3)), { batchTransactions: 7 })
    yield* Effect.ignore(stopped)
    runs++
  }
  yield* rebuild(fence, undefined, { batchTransactions: 7 })
  yield* fold(fence)
  return bodies
})

describe("A rebuild beside following", () => {
  it.live.each([1, 2, 3, 4, 5, 6])(
    "gives the tables of an index that did neither, however often it stops, whatever is received and reverted (%s)",
    (seed) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const sink = yield* Sink
        const fence = yield* lead
        const bodies = yield* interleaved(fence, seed)
        assert.isFalse(yield* isRebuildDue)
        assert.isUndefined(yield* shadowProgress)
        const [found, letters] = [yield* digest, yield* lettersOf]
        const entries = sql<LogEntry>`select log_offset, position, slot, signature from inbox_transactions`
        const standing = new Set((yield* entries).map(keyOf))
        yield* forget
        yield* receive(bodies)
        yield* fold(fence)
        const others = (yield* entries).filter((entry) => !standing.has(keyOf(entry)))
        assert.isAbove(others.length, 0)
        yield* sink.drop(others, "test", fence)
        assert.deepStrictEqual(found, yield* digest)
        assert.deepStrictEqual(letters, yield* lettersOf)
        assert.isAbove(letters.length, 0)
      }).pipe(Effect.provide(testIndex)),
  )
})
