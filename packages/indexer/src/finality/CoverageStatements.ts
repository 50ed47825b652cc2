import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type SlotRange, union } from "../sources/SlotRanges.ts"

/** The program, in place of a pool. */
export const OF_PROGRAM = ""

/** Slots whose transactions are all in the log, up to an offset. */
export interface Covered extends SlotRange {
  readonly provenBy: string
  readonly logOffset: bigint
}

/** A row of `coverage`. */
interface CoverageRow extends Covered {
  readonly pool: string
  readonly provenAt: Date
  /** The lowest that was listed; null where nothing was, or the row begins above it. */
  readonly firstSignature: string | null
}

const COLUMNS = "pool, from_slot, to_slot, proven_by, proven_at, log_offset, first_signature"

/** Folded ranges that lie next to each other, of the same source, and the one that stands for them. */
export const joinable = <A extends Covered & { readonly provenAt: Date }>(
  folded: ReadonlyArray<A>,
): ReadonlyArray<{ readonly parts: ReadonlyArray<A>; readonly joined: A }> =>
  [...Map.groupBy(folded, ({ provenBy }) => provenBy).values()].flatMap((ofSource) =>
    union(ofSource).flatMap((range) => {
      const parts = ofSource.filter(({ fromSlot, toSlot }) => fromSlot >= range.fromSlot && toSlot <= range.toSlot)
      if (parts.length < 2) return []
      // Proofs follow each other while nothing comes into the log.
      const isNewer = (one: A, other: A) =>
        one.logOffset === other.logOffset ? one.provenAt > other.provenAt : one.logOffset > other.logOffset
      const newest = parts.reduce((left, right) => (isNewer(right, left) ? right : left))
      return { parts, joined: { ...newest, ...range } }
    }),
  )

/** SQL of `coverage`, of a migrated pool or by default of the program: ranges that do not overlap. */
export const coverageStatements = (sql: SqlClient, pool: string = OF_PROGRAM) => {
  const insert = (row: Omit<CoverageRow, "pool">) => sql`insert into coverage ${sql.insert({ ...row, pool })}`

  /**
   * Joins adjacent ranges once both are folded; joined earlier, the whole range would count only when its newest part
   * does. Only ranges of the same source are joined, because sources prove different things.
   */
  const join = Effect.gen(function* () {
    const folded = yield* sql<CoverageRow>`
      select ${sql.literal(COLUMNS)} from coverage c
      where pool = ${pool} and ${sql.literal(isFolded("c"))} order by from_slot`
    for (const { joined, parts } of joinable(folded)) {
      yield* sql`
        delete from coverage where pool = ${pool} and from_slot = any(${parts.map(({ fromSlot }) => fromSlot)}::bigint[])`
      // What lies below is listed from the lowest part on.
      yield* insert({ ...joined, firstSignature: parts[0]!.firstSignature })
    }
  })

  return {
    all: sql<Covered>`
      select from_slot, to_slot, proven_by, log_offset from coverage where pool = ${pool} order by from_slot`,

    join,

    /** Adds a proven range that was not covered before. Within a transaction. */
    add: ({ fromSlot, logOffset, provenBy, toSlot }: Covered, now: Date) =>
      Effect.andThen(insert({ fromSlot, toSlot, provenBy, logOffset, provenAt: now, firstSignature: null }), join),

    /** Where a listing of the slots below a proven range begins. */
    setFirstSignature: (fromSlot: bigint, signature: string) => sql`
      update coverage set first_signature = ${signature} where pool = ${pool} and from_slot = ${fromSlot}`,

    /**
     * Takes slots out of what is proven while transactions in them are replaced: whoever dies in between leaves a gap, which is proven
     * like any other. Within a transaction.
     */
    take: Effect.fnUntraced(function* ({ fromSlot, toSlot }: SlotRange) {
      const rows = yield* sql<CoverageRow>`
        delete from coverage where pool = ${pool} and from_slot <= ${toSlot} and to_slot >= ${fromSlot}
        returning ${sql.literal(COLUMNS)}`
      const taken: Array<CoverageRow> = []
      for (const row of rows) {
        if (row.fromSlot < fromSlot) yield* insert({ ...row, toSlot: fromSlot - 1n })
        if (row.toSlot > toSlot) yield* insert({ ...row, fromSlot: toSlot + 1n, firstSignature: null })
        taken.push({
          ...row,
          ...(row.toSlot > toSlot && { toSlot }),
          ...(row.fromSlot < fromSlot && { fromSlot, firstSignature: null }),
        })
      }
      return taken
    }),

    /** Puts what was taken back. Within a transaction; `logOffset` is where the log has all of them. */
    putBack: (taken: ReadonlyArray<CoverageRow>, logOffset: bigint) =>
      Effect.forEach(taken, (row) => insert({ ...row, logOffset }), { discard: true }),
  }
}
