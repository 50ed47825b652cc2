import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SlotInterval } from "./SlotIntervals.ts"

/** Slots of which everything is in the log, up to an offset in it. */
export interface Covered extends SlotInterval {
  readonly provenBy: string
  readonly logOffset: bigint
}

/** SQL of `coverage`: intervals that neither overlap nor touch. */
export const coverageStatements = (sql: SqlClient) => {
  const all = sql<Covered>`select from_slot, to_slot, proven_by, log_offset from coverage order by from_slot`

  /** Adds what was proven; whatever it touches becomes one interval with it. Within a transaction. */
  const add = ({ fromSlot, logOffset, provenBy, toSlot }: Covered, now: Date) =>
    Effect.gen(function* () {
      const touching = yield* sql<Covered>`
        delete from coverage where from_slot <= ${toSlot + 1n} and to_slot >= ${fromSlot - 1n}
        returning from_slot, to_slot, proven_by, log_offset`
      const least = touching.reduce((slot, one) => (one.fromSlot < slot ? one.fromSlot : slot), fromSlot)
      const most = touching.reduce((slot, one) => (one.toSlot > slot ? one.toSlot : slot), toSlot)
      const newest = touching.reduce((offset, one) => (one.logOffset > offset ? one.logOffset : offset), logOffset)
      yield* sql`
        insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset)
        values (${least}, ${most}, ${provenBy}, ${now}, ${newest})`
    })

  return { all, add }
}
