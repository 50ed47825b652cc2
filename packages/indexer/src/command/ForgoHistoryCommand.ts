import { Clock, Console, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leaseStatements } from "../leader/Lease.ts"
import { followedPools } from "../pools/FollowedPools.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { leading } from "./LeadingCommand.ts"

/** Pools with slots that no endpoint can prove any more are proven from a slot on only. */
export const forgoHistory = (fromSlot: bigint, isConfirmed: boolean) =>
  leading((fence) =>
    Effect.gen(function* () {
      if (!isConfirmed)
        return yield* new CommandFailed({
          reason: `forgo-history leaves trades before slot ${fromSlot} unproven for good. Say forgo-history ${fromSlot} --yes to do so`,
        })
      const sql = yield* SqlClient
      const now = new Date(yield* Clock.currentTimeMillis)
      const pools = yield* Effect.andThen(
        leaseStatements(sql).hold(fence),
        followedPools(sql).forgo(fromSlot, now),
      ).pipe(sql.withTransaction)
      yield* Console.log(
        pools === 0
          ? `No pool has slots before ${fromSlot} that could not be proven`
          : `${pools} pools are proven from slot ${fromSlot} on only`,
      )
    }),
  )
