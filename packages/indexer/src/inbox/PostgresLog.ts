import { notifying } from "@launch-registry/postgres/CommitNotices"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { integerArray, textArray } from "../sql/ArrayParameter.ts"
import { IngestLog, type Received, type Segment, type SourceName } from "./IngestLog.ts"
import { poisonStatements } from "./PoisonStatements.ts"
import { type BodyElement, incompleteOf, type Unreadable } from "./ReadBody.ts"
import { RecentSegments } from "./RecentSegments.ts"
import { encodeSegment, segmentElements } from "./Segment.ts"

/** Most segments read at once. */
const SEGMENTS_MAX = 200
/** Compressed; in memory it is some ten times as large. */
const BYTES_MAX = 8 * 1024 * 1024

/** A server since its start, by the microsecond: a standby that was promoted is another one than the primary before it. */
const SERVER = "(extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint"

/** The log in PostgreSQL: owner of `inbox_head`, `inbox_segments`, `inbox_transactions` and `inbox_poison`. */
export const postgresLog = Layer.effect(
  IngestLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const recent = new RecentSegments()

    /**
     * One statement, so one round trip and one commit. The row of the head stays locked until the commit: appends follow one
     * another, and no reader can see an offset before all smaller ones. What was deleted from the log after it was proven
     * does not come back, and slots whose trades have left PostgreSQL are closed.
     */
    const insertSegment = ({ positions, signatures, slots }: Keys, source: string, bytes: Uint8Array, now: Date) => {
      return sql<{ readonly logOffset: bigint; readonly fresh: number; readonly server: bigint }>`
      with head as (
        update inbox_head set next_offset = next_offset + 1
        returning next_offset - 1 as log_offset, pruned_from_slot, pruned_to_slot, closed_from_slot, closed_to_slot
      ), fresh as (
        insert into inbox_transactions (slot, signature, log_offset, position)
        select t.slot, t.signature, head.log_offset, t.position
        from head, unnest(${integerArray(slots)}::integer[], ${textArray(signatures)}::text[],
          ${integerArray(positions)}::integer[]) as t(slot, signature, position)
        where t.slot not between head.pruned_from_slot and head.pruned_to_slot
          and t.slot not between head.closed_from_slot and head.closed_to_slot
        on conflict do nothing
        returning slot, position
      )
      insert into inbox_segments (log_offset, source, received_at, first_slot, last_slot, positions, bytes)
      select head.log_offset, ${source}, ${now}, f.first_slot, f.last_slot, f.positions, ${bytes}::bytea
      from head, (
        select min(slot) as first_slot, max(slot) as last_slot, array_agg(position order by position) as positions
        from fresh
      ) f
      where f.positions is not null
      returning log_offset, cardinality(positions) as fresh, ${sql.literal(SERVER)} as server, ${notifying(sql, "log")}`
    }

    /** Statements share a connection and queue there: this one is long, so it gets a connection of its own. */
    const alone = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
      Effect.scoped(
        Effect.flatMap(sql.reserve, (connection) =>
          Effect.provideService(statement, sql.transactionService, [connection, 0]),
        ),
      )

    const poison = poisonStatements(sql)

    const append = Effect.fn("PostgresLog.append")(function* (received: Received) {
      const { bodies, elements, source, unreadable } = received
      const now = new Date(yield* Clock.currentTimeMillis)
      const incomplete = isDelivered(source) ? yield* incompleteIn(elements) : NOTHING_INCOMPLETE
      const apart = [...unreadable, ...incomplete.values()]
      // First: when the rest fails, the sender redelivers all of it.
      if (apart.length > 0) yield* poison.insert(apart, source, now)
      const keys = keysOf(elements, incomplete)
      if (keys.positions.length === 0) return { logOffset: undefined, fresh: 0 }
      const insert = Effect.flatMap(encodeSegment(bodies), (bytes) => alone(insertSegment(keys, source, bytes, now)))
      const [segment] = yield* insert
      if (segment === undefined) return { logOffset: undefined, fresh: 0 }
      recent.add(segment.logOffset, elements, segment.server, now.getTime())
      return { logOffset: segment.logOffset, fresh: segment.fresh }
    })

    const select = (logOffset: bigint, transactions: number, kept: ReadonlyArray<bigint>) => sql<SegmentRow>`
      select s.log_offset, s.source, s.first_slot, s.last_slot, s.positions,
        s.log_offset = (select max(log_offset) from inbox_segments) as is_newest,
        case when not s.is_kept then s.bytes end as bytes
      from (
        select s.*,
          coalesce(s.log_offset = any(${kept}::bigint[]) and ${sql.literal(SERVER)} = ${recent.server ?? null}::bigint, false)
            as is_kept,
          sum(cardinality(s.positions)) over earlier - cardinality(s.positions) as before,
          sum(octet_length(s.bytes)) over earlier - octet_length(s.bytes) as bytes_before
        from (select * from inbox_segments where log_offset > ${logOffset} order by log_offset limit ${SEGMENTS_MAX}) s
        window earlier as (order by s.log_offset)
      ) s
      where s.before < ${transactions}::integer and s.bytes_before < ${BYTES_MAX}::integer order by s.log_offset`

    const readAfter = Effect.fn("PostgresLog.readAfter")(function* (logOffset: bigint, transactions: number) {
      const kept = recent.after(logOffset, yield* Clock.currentTimeMillis)
      const rows = yield* select(logOffset, transactions, [...kept.keys()])
      for (const row of rows) recent.forget(row.logOffset)
      return yield* Effect.forEach(rows, (row) => {
        const { bytes, ...segment } = row
        return Effect.map(
          bytes === null ? Effect.succeed(kept.get(segment.logOffset)!) : segmentElements(bytes),
          (elements): Segment => ({ ...segment, elements }),
        )
      })
    })

    const head = Effect.map(
      sql<{ readonly head: bigint }>`select coalesce(max(log_offset), 0) as head from inbox_segments`,
      ([row]) => row!.head,
    )

    return IngestLog.of({ append, readAfter, head })
  }),
)

/** What was fetched was checked before, and asked for again where it was not whole. */
const isDelivered = (source: SourceName): boolean => source === "webhook" || source === "file"

/** Checking blocks the event loop: this many take some two milliseconds. */
const SLICE_TRANSACTIONS = 64
const NOTHING_INCOMPLETE: ReadonlyMap<number, Unreadable> = new Map()

/** Transactions of which elements are not all, by position. */
const incompleteIn = Effect.fnUntraced(function* (elements: ReadonlyArray<BodyElement>) {
  const incomplete = new Map<number, Unreadable>()
  for (let position = 0; position < elements.length; position++) {
    const found = incompleteOf(elements[position]!)
    if (found !== undefined) incomplete.set(position, found)
    if (position % SLICE_TRANSACTIONS === SLICE_TRANSACTIONS - 1) yield* Effect.yieldNow
  }
  return incomplete
})

/** Transactions as columns. */
type Keys = ReturnType<typeof keysOf>

/** The whole transactions among elements, as columns; positions count through all of them. */
const keysOf = (elements: ReadonlyArray<BodyElement>, incomplete: ReadonlyMap<number, Unreadable>) => {
  const positions: Array<number> = []
  const signatures: Array<string> = []
  const slots: Array<number> = []
  for (let position = 0; position < elements.length; position++) {
    const { key } = elements[position]!
    if (typeof key === "string" || incomplete.has(position)) continue
    positions.push(position)
    signatures.push(key.signature)
    slots.push(key.slot)
  }
  return { positions, signatures, slots }
}

interface SegmentRow extends Omit<Segment, "elements"> {
  /** Null where the elements are cached. */
  readonly bytes: Uint8Array | null
}
