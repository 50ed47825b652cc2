import { randomUUID } from "node:crypto"
import { INDEXER_LEASE } from "@launch-registry/domain/system/LeaderReport"
import { Console, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commandLease, type Fence, leaseStatements } from "../leader/Lease.ts"

const LEASE_MILLIS = 15_000
const WAIT_MILLIS = 300

/** Names this command in the lease, which is public. */
export const COMMAND_NAME = `command-${randomUUID().slice(0, 8)}`

/** Holds a lease while `work` runs; waits for the current holder. */
const holding = <A, E, R>(name: string, waiting: string, work: (fence: Fence) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const lease = leaseStatements(yield* SqlClient)
    const acquire = lease.acquire(name, COMMAND_NAME, LEASE_MILLIS)
    let fence = yield* acquire
    if (fence === undefined) yield* Console.error(waiting)
    while (fence === undefined) {
      yield* Effect.sleep(WAIT_MILLIS)
      fence = yield* acquire
    }
    const held = fence
    const renewal = Effect.repeat(lease.renew(held, LEASE_MILLIS), Schedule.spaced(LEASE_MILLIS / 3))
    return yield* Effect.raceFirst(work(held), Effect.andThen(renewal, Effect.never)).pipe(
      Effect.ensuring(Effect.ignore(lease.release(held))),
    )
  })

/** Leads while `work` runs: the current leader yields and resumes afterwards. */
export const leading = <A, E, R>(work: (fence: Fence) => Effect.Effect<A, E, R>) =>
  holding(commandLease(INDEXER_LEASE), "Another command is running; waiting for it", () =>
    holding(INDEXER_LEASE, "Waiting for the leading indexer to yield", work),
  )
