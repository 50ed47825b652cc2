import { createHash } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IngestLog, type Received, type Segment } from "./IngestLog.ts"
import type { Unreadable } from "./ReadBody.ts"
import { encodeSegment } from "./Segment.ts"

/** Segments that are read at once, whatever is in them. */
const SEGMENTS_MAX = 200

/** Of a body that could not be read, this much is kept. */
const POISON_BYTES_MAX = 1_048_576

/** The log in PostgreSQL: owner of `inbox_head`, `inbox_segments`, `inbox_transactions` and `inbox_poison`. */
export const postgresLog = Layer.effect(
  IngestLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    /**
     * One statement, so one round trip and one commit. The row of the head stays locked until the commit: appends follow one
     * another, and no reader can see an offset before all smaller ones.
     */
    const insertSegment = ({ keys, source }: Received, bytes: Uint8Array, now: Date) => sql<{
      readonly logOffset: bigint
      readonly fresh: number
    }>`
      with head as (
        update inbox_head set next_offset = next_offset + 1 returning next_offset - 1 as log_offset
      ), fresh as (
        insert into inbox_transactions (slot, signature, log_offset, position)
        select t.slot, t.signature, head.log_offset, t.position
        from head, unnest(${keys.map(({ slot }) => slot)}::bigint[], ${keys.map(({ signature }) => signature)}::text[],
          ${keys.map(({ position }) => position)}::integer[]) as t(slot, signature, position)
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
      returning log_offset, cardinality(positions) as fresh`

    const insertPoison = ({ reason, text }: Unreadable, source: string, now: Date) => {
      const bytes = Buffer.from(text).subarray(0, POISON_BYTES_MAX)
      const digest = createHash("sha256").update(text).digest()
      return sql`
        insert into inbox_poison ${sql.insert({ digest, receivedAt: now, source, reason, bytes })}
        on conflict (digest) do nothing`
    }

    const append = Effect.fn("PostgresLog.append")(function* (received: Received) {
      const { bodies, keys, source, unreadable } = received
      const now = new Date(yield* Clock.currentTimeMillis)
      // Kept first: when the rest fails, the sender sends all of it again.
      for (const one of unreadable) yield* insertPoison(one, source, now)
      if (keys.length === 0) return { logOffset: undefined, fresh: 0 }
      const bytes = yield* Effect.promise(() => encodeSegment(bodies))
      const [segment] = yield* insertSegment(received, bytes, now)
      return { logOffset: segment?.logOffset, fresh: segment?.fresh ?? 0 }
    })

    const readAfter = (logOffset: bigint, transactions: number) => sql<Segment>`
      select log_offset, source, first_slot, last_slot, positions, bytes from (
        select *, sum(cardinality(positions)) over (order by log_offset) - cardinality(positions) as before
        from (select * from inbox_segments where log_offset > ${logOffset} order by log_offset limit ${SEGMENTS_MAX}) s
      ) s
      where before < ${transactions}::integer order by log_offset`

    const head = Effect.map(
      sql<{ readonly head: bigint }>`select next_offset - 1 as head from inbox_head`,
      ([row]) => row!.head,
    )

    return IngestLog.of({ append, readAfter, head })
  }),
)
