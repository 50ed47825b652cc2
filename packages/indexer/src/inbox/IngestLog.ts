import { exactJson } from "@launch-registry/chain/rpc/LosslessJson"
import { Context, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type BodyElement, readBody, type Unreadable } from "./ReadBody.ts"

/** Where something was received from. */
export type SourceName = "webhook" | "backfill" | "follow" | "file"

/** The input of one append. */
export interface Received {
  readonly source: SourceName
  /** Bodies as received: each an array of transactions, or a single one. */
  readonly bodies: ReadonlyArray<Uint8Array>
  /** What the bodies hold, by position. */
  readonly elements: ReadonlyArray<BodyElement>
  readonly unreadable: ReadonlyArray<Unreadable>
}

export interface Appended {
  /** Of the segment; `undefined` when nothing in it was new. */
  readonly logOffset: bigint | undefined
  readonly fresh: number
}

/** A segment of the log: the transactions that were appended at once. */
export interface Segment {
  readonly logOffset: bigint
  readonly source: SourceName
  readonly firstSlot: bigint
  readonly lastSlot: bigint
  /** Whether the log had none after it when it was read. */
  readonly isNewest: boolean
  /** Of transactions that were new when it was appended; all others are redeliveries. */
  readonly positions: ReadonlyArray<number>
  /** What its bodies hold, by position. */
  readonly elements: ReadonlyArray<BodyElement>
}

/** A transaction in the log. */
export interface LogEntry {
  readonly logOffset: bigint
  readonly position: number
  readonly slot: bigint
  readonly signature: string
}

/**
 * The durable log of received transactions: the source of truth that everything else is derived from. It holds a
 * transaction once for each slot, independent of the sender and of redeliveries. Offsets are in commit order: a reader
 * that has an offset has everything before it.
 */
export class IngestLog extends Context.Service<
  IngestLog,
  {
    /**
     * Durable once it returns. What others deliver without a part is not appended: its place is that of a whole one, and the leader fetches
     * it (`inbox_poison`).
     */
    readonly append: (received: Received) => Effect.Effect<Appended, SqlError>
    /** Segments after an offset, for about so many transactions. */
    readonly readAfter: (logOffset: bigint, transactions: number) => Effect.Effect<ReadonlyArray<Segment>, SqlError>
    /** The newest offset; 0 when there is none. */
    readonly head: Effect.Effect<bigint, SqlError>
  }
>()("@launch-registry/indexer/inbox/IngestLog") {}

/** Appends parsed transactions. Those without slot or signature are poison, as in a delivery; `incomplete` are to be fetched later. */
export const appendTransactions = (
  source: SourceName,
  transactions: ReadonlyArray<unknown>,
  incomplete: ReadonlyArray<Unreadable> = [],
): Effect.Effect<Appended, SqlError, IngestLog> =>
  Effect.gen(function* () {
    const log = yield* IngestLog
    const body = Buffer.from(exactJson(transactions))
    const { elements, unreadable } = readBody(body)
    return yield* log.append({ source, bodies: [body], elements, unreadable: [...unreadable, ...incomplete] })
  })
