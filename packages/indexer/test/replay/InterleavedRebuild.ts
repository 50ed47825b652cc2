import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { deliver } from "../../fixtures/DeliverTransactions.ts"
import type { GeneratedBlock } from "../../fixtures/GeneratedModel.ts"
import { generateBlocks } from "../../fixtures/GenerateTransactions.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { appendTransactions, type LogEntry } from "../../src/inbox/IngestLog.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { rebuild } from "../../src/replay/Rebuild.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { digest, fold, receive, receiveTransactions } from "../TestIndex.ts"
import { derivedByOthers, lettersOf, stopAfter } from "./StoppedReplay.ts"

/** Cannot be decoded, and are from the chain: what others deliver so is poison. */
const undecodable = [...generateBlocks({ seed: 24, slots: 4, transactionsPerSlot: 3, isLarge: false })]
  .flatMap(({ transactions }) => transactions)
  .map((transaction) => ({ ...transaction, blockTime: 9e15 }))

/** Receives, folds, reverts and takes turns with a rebuild that stops again and again, at random; returns what was received. */
export const interleaved = Effect.fnUntraced(function* (
  blocks: ReadonlyArray<GeneratedBlock>,
  fence: Fence,
  seed: number,
) {
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
  yield* appendTransactions("follow", undecodable)
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

const keyOf = ({ signature, slot }: LogEntry): string => `${slot} ${signature}`

const entries = Effect.flatMap(
  SqlClient,
  (sql) => sql<LogEntry>`select log_offset, position, slot, signature from inbox_transactions`,
)

/** The derived tables and dead letters, and the transactions that stand. */
export const outcome = Effect.gen(function* () {
  const standing = new Set((yield* entries).map(keyOf))
  return { tables: yield* digest, letters: yield* lettersOf, standing }
})

/** The tables of an empty index that receives these bodies in order, and then loses whatever does not stand. */
export const receivedAtOnce = Effect.fnUntraced(function* (
  bodies: ReadonlyArray<string>,
  standing: ReadonlySet<string>,
  fence: Fence,
) {
  yield* receive(bodies)
  yield* appendTransactions("follow", undecodable)
  yield* fold(fence)
  const others = (yield* entries).filter((entry) => !standing.has(keyOf(entry)))
  yield* (yield* Sink).drop(others, "test", fence)
  return { ...(yield* outcome), dropped: others.length }
})
