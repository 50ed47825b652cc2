import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { completeTransactions } from "../../src/finality/CompleteTransactions.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { CUT_NAMES } from "../CutBodies.ts"
import { fold } from "../TestIndex.ts"

/** JSON-RPC answers `null` for what is not there, and has no answer without a slot. */
export const ANSWERED_CUTS = CUT_NAMES.filter((name) => name !== "no slot" && name !== "no transaction")

/** Endpoints are of the chain of the index. */
export const isOurChain = Effect.void

/** What the leader does beside the proof, until nothing is due. */
export const completeAll = Effect.fnUntraced(function* (fence: Fence) {
  const sql = yield* SqlClient
  const complete = yield* completeTransactions
  let left = -1
  while (true) {
    yield* sql`update inbox_poison set due_at = now() - interval '1 hour' where due_at is not null`
    yield* fold(fence)
    const { completed } = yield* complete(fence, isOurChain)
    const [{ count }] = (yield* sql`select count(*)::integer as count from inbox_poison where due_at is not null`) as [
      { count: number },
    ]
    if (completed === 0 && count === left) return
    left = count
  }
})

export const poisonLeft = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly reason: string }>`select reason from inbox_poison where due_at is not null`,
)

export const textOf = (bodies: ReadonlyArray<unknown>) => JSON.stringify(bodies)
