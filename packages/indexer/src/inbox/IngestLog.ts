import { Context, type Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { BodyElement } from "./BodyElement.ts"
import type { Unreadable } from "./ReadBody.ts"

/** Where something was received from. */
export type SourceName = "webhook" | "backfill" | "follow" | "file"

/** What is appended at once. */
export interface Received {
  readonly source: SourceName
  /** As they came: each an array of transactions, or one. */
  readonly bodies: ReadonlyArray<Uint8Array>
  /** What the bodies hold, by position. */
  readonly elements: ReadonlyArray<BodyElement>
  readonly unreadable: ReadonlyArray<Unreadable>
}

export interface Appended {
  /** Of the segment; `undefined` when nothing in it was new. */
  readonly logOffset: bigint | undefined
  readonly fresh: number
  /** Whether the elements are at hand for readers: then their bodies have to stay as they are. */
  readonly isKept: boolean
}

/** A stretch of the log. */
export interface Segment {
  readonly logOffset: bigint
  readonly source: SourceName
  readonly firstSlot: bigint
  readonly lastSlot: bigint
  /** Those that were new when it was appended; all others are repetitions. */
  readonly positions: ReadonlyArray<number>
  /** What its bodies hold, by position. */
  readonly elements: ReadonlyArray<BodyElement>
}

/**
 * The durable log of what was received of the chain: the source of truth, which everything else can be derived from again.
 * A transaction is in it once for each slot, whoever sends it and however often. Read in the order of offsets, which is the
 * order of commits: a reader that has an offset has everything before it.
 */
export class IngestLog extends Context.Service<
  IngestLog,
  {
    /** Durable once it returns. */
    readonly append: (received: Received) => Effect.Effect<Appended, SqlError>
    /** What comes after an offset: as many segments as it takes for about so many transactions. */
    readonly readAfter: (logOffset: bigint, transactions: number) => Effect.Effect<ReadonlyArray<Segment>, SqlError>
    /** Waits for something that this process appends, or has appended since the last wait. What others append is not noticed. */
    readonly grown: Effect.Effect<void>
    /** The newest offset; 0 when there is none. */
    readonly head: Effect.Effect<bigint, SqlError>
  }
>()("@launch-registry/indexer/inbox/IngestLog") {}
