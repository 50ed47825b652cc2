import type { DecodableTransaction, RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { LogEntry } from "../sink/InboxStatements.ts"
import { loggedElements } from "./LoggedElements.ts"
import { reconcileStatements, type SegmentsOf } from "./ReconcileStatements.ts"
import { hasSameFacts } from "./SameFacts.ts"

/** A transaction of the log, and the same as the chain has it. */
interface Compared {
  readonly entry: LogEntry
  readonly onChain: RawTransaction
}

/** Comparing blocks the event loop: this many take some milliseconds. */
const SLICE_TRANSACTIONS = 64

/**
 * Finds entries whose contents differ from the chain's. Read from the log, not from the tables, so that entries that
 * are not folded yet are compared as well. Each segment is read once for a listing.
 */
export const alteredContents = Effect.fnUntraced(function* (sql: SqlClient) {
  const { segmentsOf } = reconcileStatements(sql)
  const elementsOf = yield* loggedElements

  return Effect.fnUntraced(function* (compared: ReadonlyArray<Compared>, which: SegmentsOf = "delivered") {
    const bySegment = Map.groupBy(compared, ({ entry }) => entry.logOffset)
    const altered: Array<LogEntry> = []
    let count = 0
    let offsets = [...bySegment.keys()]
    while (offsets.length > 0) {
      const segments = yield* segmentsOf(offsets, which)
      for (const segment of segments) {
        const elements = yield* elementsOf(segment)
        for (const { entry, onChain } of bySegment.get(segment.logOffset)!) {
          // Only slot and signature were checked when it was received.
          if (!hasSameFacts(elements[entry.position]!.read() as DecodableTransaction, onChain)) altered.push(entry)
          if (++count % SLICE_TRANSACTIONS === 0) yield* Effect.yieldNow
        }
      }
      const last = segments.at(-1)?.logOffset
      offsets = last === undefined ? [] : offsets.filter((logOffset) => logOffset > last)
    }
    return altered
  })
})
