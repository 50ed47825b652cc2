import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Context, type Effect, Schema, type Stream } from "effect"
import type { SlotRange } from "./SlotRanges.ts"

/** A transaction that the chain has. */
export interface Listed {
  readonly signature: string
  readonly slot: bigint
  readonly hasFailed: boolean
  /** The transaction itself, when the listing came with it: then what the log holds of it is compared with this. */
  readonly transaction?: RawTransaction
  /** Why the transaction that the listing came with is not here: no source has all of it. */
  readonly problem?: Unfetched
}

/** A transaction of which no endpoint has all parts, or, where it is not available, any. */
export interface Unfetched {
  readonly signature: string
  readonly reason: string
  readonly isAvailable: boolean
  /** False where the endpoints are at fault, and not this transaction. */
  readonly isAsked: boolean
}

export const problemOf = ({ reason, signature }: Unfetched): string => `${signature} is ${reason}`

/** Transactions in the order asked for, and those that are not among them. */
export interface Fetched {
  readonly transactions: ReadonlyArray<RawTransaction>
  readonly unfetched: ReadonlyArray<Unfetched>
}

/** All transactions of an address in a range. */
export interface Listing extends SlotRange {
  readonly listed: ReadonlyArray<Listed>
}

/** The outcome of a signature; `undefined` when the chain does not know it. */
export interface ChainOutcome {
  readonly slot: bigint
  readonly hasFailed: boolean
  readonly isFinalized: boolean
}

/** The chain did not answer, or not completely: nothing may be concluded. */
export class HistoryIncomplete extends Schema.TaggedError<HistoryIncomplete>()("HistoryIncomplete", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The history of the chain is incomplete: ${this.reason}`
  }
}

/** The finalized transactions of addresses: of the program, and of each migrated pool. */
export class ChainHistory extends Context.Service<
  ChainHistory,
  {
    /** Of the source, as stored in `proven_by` of `coverage`. */
    readonly name: string
    readonly finalizedSlot: Effect.Effect<bigint, HistoryIncomplete>
    /** The newest slot of a node, ahead of the finalized one by as much as finality takes: thousands while it stands still. */
    readonly processedSlot: Effect.Effect<bigint, HistoryIncomplete>
    /**
     * Everything of an address in a range, as pages that are complete and do not overlap, in any order. `after` is a transaction above
     * the range: where paging may begin.
     */
    readonly list: (address: string, range: SlotRange, after?: string) => Stream.Stream<Listing, HistoryIncomplete>
    /**
     * The slot of the newest transaction of an address, from a node that has reached slot `upTo`: one request. `undefined` when the
     * node has none, which says nothing about what it has forgotten.
     */
    readonly newestSlot: (address: string, upTo: bigint) => Effect.Effect<bigint | undefined, HistoryIncomplete>
    /** The transactions themselves, and those that no endpoint gives. */
    readonly transactions: (listed: ReadonlyArray<Listed>) => Effect.Effect<Fetched, HistoryIncomplete>
    /** From a node that has reached slot `upTo`: on a node behind, an unknown signature proves nothing. */
    readonly outcomes: (
      signatures: ReadonlyArray<string>,
      upTo: bigint,
    ) => Effect.Effect<ReadonlyArray<ChainOutcome | undefined>, HistoryIncomplete>
  }
>()("@launch-registry/indexer/finality/ChainHistory") {}
