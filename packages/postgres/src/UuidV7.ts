import { randomInt } from "node:crypto"
import { v7 } from "uuid"

/** Half of the 32 bits of the sequence: the rest is room to count up within a millisecond. */
const FIRST_MAX = 2 ** 31

/** UUIDs of version 7 that sort in the order they were made in, also within a millisecond and when the clock goes back. */
export class UuidV7 {
  #millis = -1
  #sequence = 0

  /** A UUID for the instant `millis` (since 1970). */
  next(millis: number): string {
    if (millis > this.#millis) {
      this.#millis = millis
      this.#sequence = randomInt(FIRST_MAX)
    } else this.#sequence++
    return v7({ msecs: this.#millis, seq: this.#sequence })
  }
}
