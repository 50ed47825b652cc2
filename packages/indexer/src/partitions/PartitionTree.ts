import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { HOUR, LIFE, MINUTE } from "@launch-registry/domain/launch/StoredCandle"
import { aheadOf, MINUTES, olderOf, type PartitionedRange, TRADES } from "./PartitionedRange.ts"

/** Tables that are partitioned where old facts may leave PostgreSQL. */
export const PARTITIONED_TABLES = ["trades", "candles"] as const

/** A partitioned table, or a partition, in PostgreSQL's words. */
export interface TreeTable {
  readonly name: string
  /** `null`: one of the {@link PARTITIONED_TABLES}. */
  readonly parent: string | null
  /** As in `FOR VALUES FROM (…) TO (…)`; `null` without a parent. */
  readonly bound: string | null
  /** As in `RANGE (ordinal)`; `null`: it has rows itself. */
  readonly key: string | null
}

/** Partitioned tables and their partitions, parents first; empty where nothing is partitioned. */
export type PartitionTree = ReadonlyArray<TreeTable>

/** How the tables of a schema are partitioned. */
export const partitionTree = (sql: SqlClient, schema = "public") =>
  sql<TreeTable>`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound, pg_get_partkeydef(c.oid) as key
    from pg_class root
    cross join lateral pg_partition_tree(root.oid) tree
    join pg_class c on c.oid = tree.relid
    left join pg_class p on p.oid = tree.parentrelid
    where root.relnamespace = to_regnamespace(${schema}) and root.relkind = 'p' and root.relname = any(${[...PARTITIONED_TABLES]}::text[])
    order by tree.level, c.relname`

export const rangeBound = ({ boundOf }: PartitionedRange, from: bigint | "minvalue", to: bigint | "maxvalue"): string =>
  `FOR VALUES FROM (${from === "minvalue" ? from : boundOf(from)}) TO (${to === "maxvalue" ? to : boundOf(to)})`

/** Partitions between these bounds, and those below and above. */
const partitionsOf = (range: PartitionedRange, bounds: ReadonlyArray<bigint>): PartitionTree => {
  const parent = range.table
  const [first, last] = [bounds[0]!, bounds.at(-1)!]
  const between = bounds.slice(1).map((to, index) => {
    const from = bounds[index]!
    return { name: range.nameOf(from), parent, bound: rangeBound(range, from, to), key: null }
  })
  return [
    { name: olderOf(range), parent, bound: rangeBound(range, "minvalue", first), key: null },
    ...between,
    { name: aheadOf(range), parent, bound: rangeBound(range, last, "maxvalue"), key: null },
  ]
}

/** Bounds of trades and of minute candles, the first of each below everything. */
export interface PlannedBounds {
  readonly trades: ReadonlyArray<bigint>
  readonly minutes: ReadonlyArray<bigint>
}

/** Trades by slots, minute candles by hours; longer candles are never dropped and have a partition of their own. */
export const plannedTree = ({ minutes, trades }: PlannedBounds): PartitionTree => [
  { name: "trades", parent: null, bound: null, key: "RANGE (ordinal)" },
  { name: "candles", parent: null, bound: null, key: "LIST (seconds)" },
  { name: "candles_minutes", parent: "candles", bound: `FOR VALUES IN (${MINUTE})`, key: "RANGE (bucket)" },
  { name: "candles_longer", parent: "candles", bound: `FOR VALUES IN (${LIFE}, ${HOUR})`, key: null },
  ...partitionsOf(TRADES, trades),
  ...partitionsOf(MINUTES, minutes),
]

/** Creates the tables of a tree in a schema, empty, with columns, constraints and indexes of the live ones. */
export const createTree = (sql: SqlClient, schema: string, tree: PartitionTree) =>
  Effect.forEach(
    tree,
    ({ bound, key, name, parent }) => {
      const by = key === null ? sql`` : sql`partition by ${sql.literal(key)}`
      return parent === null || bound === null
        ? sql`create table ${sql(schema)}.${sql(name)} (like public.${sql(name)} including all) ${by}`
        : sql`create table ${sql(schema)}.${sql(name)} partition of ${sql(schema)}.${sql(parent)} ${sql.literal(bound)} ${by}`
    },
    { discard: true },
  )
