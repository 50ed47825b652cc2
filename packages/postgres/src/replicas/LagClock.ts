import type { LogPosition } from "./LogPosition.ts"

/** More than a replica is ever behind in use, at one observation a second. */
const OBSERVATIONS_MAX = 600

/**
 * How old the answers of a replica are, by the times at which the primary was seen at a position: no clock of another machine is compared. While the
 * primary does not answer nothing is written, and what has all of it stays current.
 */
export class LagClock {
  readonly #seen: Array<{ readonly at: number; readonly position: LogPosition }> = []

  /** The primary has written up to `position`; `at` in milliseconds, never before the last. */
  observe(at: number, position: LogPosition): void {
    const last = this.#seen.at(-1)?.position ?? position
    // A promoted standby may have less than the primary before it: what was seen of that one is never replayed.
    if (position < last) this.#seen.length = 0
    else if (position === last && this.#seen.length > 0) return
    this.#seen.push({ at, position })
    if (this.#seen.length > OBSERVATIONS_MAX) this.#seen.shift()
  }

  /** Milliseconds for which something has been written that is not replayed up to `position`; 0 if nothing is. */
  millisBehind(at: number, position: LogPosition): number {
    const first = this.#seen.find((one) => one.position > position)
    return first === undefined ? 0 : at - first.at
  }

  /** Bytes of the log that are written and not replayed up to `position`. */
  bytesBehind(position: LogPosition): bigint {
    const written = this.#seen.at(-1)?.position ?? position
    return written > position ? written - position : 0n
  }
}
