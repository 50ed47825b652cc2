import { Effect } from "effect"
import type { BodyElement } from "./BodyElement.ts"
import { joinBodies, readBody } from "./ReadBody.ts"
import { decodeSegment } from "./Segment.ts"

/** What a segment holds, by position: the same as when its bodies were received. */
export const segmentElements = (bytes: Uint8Array): Effect.Effect<ReadonlyArray<BodyElement>> =>
  Effect.map(
    Effect.promise(() => decodeSegment(bytes)),
    (bodies) => joinBodies(bodies.map(readBody)).elements,
  )
