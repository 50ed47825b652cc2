import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** A row of `coverage` or `pool_coverage`. */
interface Row extends SlotRange {
  readonly provenBy: string
  readonly provenAt: Date
  readonly logOffset: bigint
  readonly firstSignature?: string | null
}

/**
 * SQL that takes slots out of what is proven while transactions in them are replaced, and puts them back afterwards: whoever dies in between
 * leaves a gap, which is proven like any other.
 */
export const takenCoverage = (sql: SqlClient, address: string) => {
  const isOfPool = address !== DBC_PROGRAM
  const table = isOfPool ? sql`pool_coverage` : sql`coverage`
  const ofAddress = isOfPool ? sql`pool = ${address}` : sql`true`
  const firstSignature = sql.literal(isOfPool ? ", first_signature" : "")
  const insert = ({ firstSignature: signature = null, ...row }: Row) =>
    sql`insert into ${table} ${sql.insert(isOfPool ? { ...row, pool: address, firstSignature: signature } : { ...row })}`

  return {
    /** Within a transaction. */
    take: Effect.fnUntraced(function* ({ fromSlot, toSlot }: SlotRange) {
      const rows = yield* sql<Row>`
        delete from ${table} where ${ofAddress} and from_slot <= ${toSlot} and to_slot >= ${fromSlot}
        returning from_slot, to_slot, proven_by, proven_at, log_offset ${firstSignature}`
      const taken: Array<Row> = []
      for (const row of rows) {
        const above = { ...row, fromSlot: toSlot + 1n, firstSignature: null }
        if (row.fromSlot < fromSlot) yield* insert({ ...row, toSlot: fromSlot - 1n })
        if (row.toSlot > toSlot) yield* insert(above)
        taken.push({
          ...row,
          ...(row.toSlot > toSlot && { toSlot }),
          ...(row.fromSlot < fromSlot && { fromSlot, firstSignature: null }),
        })
      }
      return taken
    }),

    /** Within a transaction; `logOffset` is where the log has all of them. */
    putBack: (taken: ReadonlyArray<Row>, logOffset: bigint) =>
      Effect.forEach(taken, (row) => insert({ ...row, logOffset }), { discard: true }),
  }
}
