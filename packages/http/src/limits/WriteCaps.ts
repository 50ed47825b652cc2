import { Context } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SharedMoment } from "@launch-registry/postgres/SharedClock"

/** What may be stored; nothing is counted for a cap that is absent. */
export interface WriteCaps {
  /** Of a client in a day: uploads. */
  readonly uploadsPerDay?: number
  /** Of a client in a day: bytes that uploads add to what is stored. */
  readonly uploadBytesPerDay?: number
  /** Of a client in a day: registered tokens and recorded transactions. */
  readonly recordsPerDay?: number
  /** Bytes of all uploads together. */
  readonly storedBytes?: number
}

/** The caps of the current server. */
export const WriteCapsOfServer = Context.Reference<WriteCaps>("@launch-registry/http/limits/WriteCaps", {
  defaultValue: () => ({}),
})

/** The UTC day of a moment, and the seconds until the next one. */
export const utcDay = (sql: SqlClient, { now }: SharedMoment) => {
  const day = sql`(${now} at time zone 'utc')::date`
  const nextDay = sql`((${day} + 1)::timestamp at time zone 'utc')`
  return { day, secondsLeft: sql`ceil(extract(epoch from ${nextDay} - ${now}))::integer` }
}
