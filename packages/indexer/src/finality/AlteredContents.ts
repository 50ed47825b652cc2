import type { DecodableTransaction, RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { TRANSACTION_INDEX_MAX } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { segmentElements } from "../inbox/Segment.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"
import { reconcileStatements, type SegmentsOf } from "./ReconcileStatements.ts"
import { missingPart } from "@launch-registry/chain/events/MissingPart"
import { changesOf } from "../modules/DatabaseChanges.ts"

/** A transaction of the log, and the same as the chain has it. */
interface Compared {
  readonly entry: LogEntry
  readonly onChain: RawTransaction
}

/** Comparing blocks the event loop: this many take some milliseconds. */
const SLICE_TRANSACTIONS = 64

/**
 * Whether the log's version of a transaction derives the same rows as the chain's: sources write the same transaction
 * in different bytes. Undecodable transactions equal only each other. The place in the block is not compared, because
 * sources may count differently, but it has to be one; nor is a block time that the chain's version lacks.
 */
export const hasSameFacts = (inLog: DecodableTransaction, onChain: RawTransaction): boolean =>
  isPlace(inLog.indexWithinBlock) &&
  factsOf(inLog) === factsOf({ ...onChain, blockTime: onChain.blockTime ?? inLog.blockTime })

const isPlace = (index: number | undefined): boolean =>
  index === undefined || (Number.isInteger(index) && index >= 0 && index <= TRANSACTION_INDEX_MAX)

/** Without a position in the block, both get the same one, derived from the signature. */
const factsOf = (transaction: DecodableTransaction): string => {
  const { events, trades, undecodable } = changesOf([{ ...transaction, indexWithinBlock: undefined }])
  return JSON.stringify([trades, events, undecodable.length], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  )
}

/** Nothing can be told from it, so the chain's version has to be fetched. */
const isIncomplete = (inLog: DecodableTransaction): boolean =>
  missingPart(inLog) !== undefined || changesOf([inLog]).undecodable.length > 0

/**
 * Finds entries whose contents differ from the chain's, or are incomplete. Read from the log, not from the tables, so that entries that
 * are not folded yet are compared as well. Each segment is read once for a listing.
 */
export const alteredContents = (sql: SqlClient) => {
  const { segmentsOf } = reconcileStatements(sql)

  const those = Effect.fnUntraced(function* <One extends { readonly entry: LogEntry }>(
    all: ReadonlyArray<One>,
    which: SegmentsOf,
    isOne: (inLog: DecodableTransaction, one: One) => boolean,
  ) {
    const bySegment = Map.groupBy(all, ({ entry }) => entry.logOffset)
    const found: Array<LogEntry> = []
    let count = 0
    let offsets = [...bySegment.keys()]
    while (offsets.length > 0) {
      const segments = yield* segmentsOf(offsets, which)
      for (const segment of segments) {
        const elements = yield* segmentElements(segment.bytes)
        for (const one of bySegment.get(segment.logOffset)!) {
          const { entry } = one
          if (isOne(elements[entry.position]!.value as DecodableTransaction, one)) found.push(entry)
          if (++count % SLICE_TRANSACTIONS === 0) yield* Effect.yieldNow
        }
      }
      const last = segments.at(-1)?.logOffset
      offsets = last === undefined ? [] : offsets.filter((logOffset) => logOffset > last)
    }
    return found
  })

  return {
    /** Those that derive other rows than what the chain has. */
    alteredOf: (compared: ReadonlyArray<Compared>, which: SegmentsOf = "delivered") =>
      those(compared, which, (inLog, { onChain }) => !hasSameFacts(inLog, onChain)),

    /** Those that lack a part, or cannot be decoded. What was fetched was checked then. */
    incompleteOf: (entries: ReadonlyArray<LogEntry>) =>
      those(
        entries.map((entry) => ({ entry })),
        "received",
        isIncomplete,
      ),
  }
}
