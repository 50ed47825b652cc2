import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Context, type Effect, Schema, type Stream } from "effect"
import type { SlotRange } from "./SlotRanges.ts"

/** A transaction that the chain has. */
export interface Listed {
  readonly signature: string
  readonly slot: bigint
  readonly hasFailed: boolean
  /** The transaction itself, when the listing came with it: then what the log holds of it is compared with this. */
  readonly transaction?: RawTransaction
}

/** All transactions of an interval. */
export interface Listing extends SlotRange {
  readonly listed: ReadonlyArray<Listed>
}

/** What became of a signature; `undefined` when the chain does not know it. */
export interface ChainOutcome {
  readonly slot: bigint
  readonly hasFailed: boolean
  readonly isFinalized: boolean
}

/** The chain could not be asked, or did not answer all of it: nothing may be concluded. */
export class HistoryIncomplete extends Schema.TaggedError<HistoryIncomplete>()("HistoryIncomplete", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The history of the chain is incomplete: ${this.reason}`
  }
}

/** What the chain says of the program's transactions, finalized. */
export class ChainHistory extends Context.Service<
  ChainHistory,
  {
    /** Names who vouches for it. */
    readonly name: string
    readonly finalizedSlot: Effect.Effect<bigint, HistoryIncomplete>
    /**
     * Everything in an interval, in stretches that are complete each by itself and do not overlap; in which order they come is
     * up to the source. `after` is a transaction of the program that should be above the interval: a place to begin.
     */
    readonly list: (interval: SlotRange, after?: string) => Stream.Stream<Listing, HistoryIncomplete>
    /** The transactions themselves, in the order asked for. */
    readonly transactions: (
      listed: ReadonlyArray<Listed>,
    ) => Effect.Effect<ReadonlyArray<RawTransaction>, HistoryIncomplete>
    /** From who has got as far as slot `upTo`: elsewhere, not to be known says nothing. */
    readonly outcomes: (
      signatures: ReadonlyArray<string>,
      upTo: bigint,
    ) => Effect.Effect<ReadonlyArray<ChainOutcome | undefined>, HistoryIncomplete>
  }
>()("@launch-registry/indexer/finality/ChainHistory") {}
