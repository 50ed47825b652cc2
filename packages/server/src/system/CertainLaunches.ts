import { LaunchesUncertain } from "@launch-registry/domain/ipfs/UploadReferences"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IndexerStatus } from "./IndexerStatus.ts"

/**
 * Fails unless the index has every launch: one may be in a transaction that could not be decoded, or was not received as a whole. To be asked last, in the
 * transaction that deletes what is not launched, so that an index that was emptied meanwhile is noticed.
 */
export const requireLaunches = Effect.gen(function* () {
  const sql = yield* SqlClient
  const status = yield* IndexerStatus
  return Effect.gen(function* () {
    const { detail, status: state } = yield* status.health
    if (state !== "up") return yield* new LaunchesUncertain({ reason: `the index is ${state}: ${detail}` })
    const [unread] = yield* sql`select from dead_letters limit 1`
    if (unread !== undefined) return yield* new LaunchesUncertain({ reason: "there are dead letters" })
    const [incomplete] = yield* sql`select from inbox_poison where due_at is not null limit 1`
    if (incomplete !== undefined) return yield* new LaunchesUncertain({ reason: "transactions are incomplete" })
  })
})
