import { assert, it } from "@effect/vitest"
import { decodeChanges, isReadable } from "@launch-registry/domain/stream/CommittedChanges"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateChain } from "../fixtures/GenerateTransactions.ts"
import type { LogEntry } from "../src/inbox/IngestLog.ts"
import { Sink } from "../src/sink/Sink.ts"
import { fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

/** All changes emitted so far, in order. */
const emitted = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly changes: string }>`select changes from index_changes order by id`
  return rows.flatMap(({ changes: text }) => {
    const changes = decodeChanges(text)
    assert.isTrue(changes.every(isReadable), text)
    return changes.filter(isReadable)
  })
})

it.live("A pool with a new creator is emitted with its mint, and so is the rollback", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const sink = yield* Sink
    const fence = yield* lead
    const { blocks, truth } = generateChain({ seed: 7, slots: 90, transactionsPerSlot: 12, isLarge: false })
    yield* receiveTransactions(blocks.flatMap(({ transactions }) => transactions))
    yield* fold(fence)
    const changed = truth.others.filter((event) => event.type === "PoolCreatorChanged")
    assert.isAbove(changed.length, 0)
    const creators = (yield* emitted).filter((change) => change.type === "creator")
    const mints = new Map(truth.pools.map(({ baseMint, pool }) => [pool, baseMint]))
    assert.sameDeepMembers(
      creators.map(
        ({ creator, mintAddress, pool, signature }) => ({ mintAddress, creator, pool, signature }) as object,
      ),
      changed.map(({ newCreator: creator, pool, signature }) => {
        return { mintAddress: mints.get(pool) ?? null, creator, pool, signature }
      }),
    )

    const { pool, signature } = changed.at(-1)!
    const entries = yield* sql<LogEntry>`
      select log_offset, position, slot, signature from inbox_transactions where signature = ${signature}`
    yield* sink.drop(entries, "not on the chain", fence)
    const revert = (yield* emitted).at(-1)!
    assert.deepInclude(revert as object, { type: "revert", signature, creatorPools: [pool] })
    const [row] = yield* sql<{ readonly creator: string }>`select creator from dbc_pools where pool = ${pool}`
    assert.notStrictEqual(row!.creator, creators.at(-1)!.creator)
  }).pipe(Effect.provide(testIndex)),
)
