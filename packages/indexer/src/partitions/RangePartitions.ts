import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { aheadOf, olderOf, type PartitionedRange } from "./PartitionedRange.ts"

/** A partition between two bounds, in the unit of its table; `to` is not in it. */
export interface RangePartition {
  readonly name: string
  readonly from: bigint
  readonly to: bigint
}

/** The partitions of a table, in order. */
export interface RangePartitions {
  readonly between: ReadonlyArray<RangePartition>
  /** Where the partition ahead of them begins. */
  readonly aheadFrom: bigint
}

const BOUND = /FROM \((?:MINVALUE|'([^']+)')\) TO \((?:MAXVALUE|'([^']+)')\)/

/** `undefined` where the table is not partitioned. */
export const rangePartitions = (sql: SqlClient, range: PartitionedRange, schema = "public") =>
  Effect.map(
    sql<{ readonly name: string; readonly bound: string }>`
      select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass(${`${schema}.${range.table}`}) and c.relispartition`,
    (rows): RangePartitions | undefined => {
      if (rows.length === 0) return undefined
      const found = rows.map(({ bound, name }) => {
        const [, from, to] = BOUND.exec(bound) ?? []
        const place = (text: string | undefined) => (text === undefined ? undefined : range.unitOf(text))
        return { name, from: place(from), to: place(to) }
      })
      const between = found.flatMap(({ from, name, to }) =>
        from === undefined || to === undefined || name === olderOf(range) ? [] : [{ name, from, to }],
      )
      return {
        between: between.sort((left, right) => (left.from < right.from ? -1 : 1)),
        aheadFrom: found.find(({ name }) => name === aheadOf(range))!.from!,
      }
    },
  )
