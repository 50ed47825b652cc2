import type { DecodableTransaction, RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { segmentElements } from "../inbox/Segment.ts"
import type { LogEntry } from "../sink/InboxStatements.ts"
import { reconcileStatements, type SegmentsOf } from "./ReconcileStatements.ts"
import { missingPart } from "@launch-registry/chain/events/MissingPart"
import { changesOf } from "../modules/DatabaseChanges.ts"
import { hasSameFacts } from "./SameFacts.ts"

/** A transaction of the log, and the same as the chain has it. */
interface Compared {
  readonly entry: LogEntry
  readonly onChain: RawTransaction
}

/** Comparing blocks the event loop: this many take some milliseconds. */
const SLICE_TRANSACTIONS = 64

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
