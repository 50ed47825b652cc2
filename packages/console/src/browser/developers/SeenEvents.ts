import type { StreamEvent } from "@launch-registry/client"

/** An event as it arrived. */
export interface SeenEvent {
  /** In the order of arrival, from 1. */
  readonly number: number
  /** Milliseconds of the epoch. */
  readonly at: number
  readonly event: StreamEvent
}

export const EVENTS_MAX = 200

/** The newest first, and no more than fit. */
export const withEvents = (
  seen: ReadonlyArray<SeenEvent>,
  arrived: ReadonlyArray<SeenEvent>,
): ReadonlyArray<SeenEvent> => (arrived.length === 0 ? seen : [...arrived.toReversed(), ...seen].slice(0, EVENTS_MAX))
