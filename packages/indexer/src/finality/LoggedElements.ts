import { Effect } from "effect"
import { segmentReader } from "../archive/SegmentReader.ts"
import type { StoredSegment } from "../archive/StoredSegment.ts"
import { segmentElements } from "../inbox/SegmentElements.ts"
import { HistoryIncomplete } from "../sources/ChainHistory.ts"

/** Reads what a segment holds, by position, also from the archive: without it nothing can be compared, so nothing is concluded. */
export const loggedElements = Effect.map(
  segmentReader({ isOnward: false }),
  (bytesOf) => (segment: StoredSegment) =>
    bytesOf(segment).pipe(
      Effect.mapError(({ message }) => new HistoryIncomplete({ reason: message })),
      Effect.flatMap(segmentElements),
    ),
)
