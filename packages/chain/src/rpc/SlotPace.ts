/** What a slot is taken for until it was measured: the shortest that is announced for mainnet, so that nothing is said to last longer than it does. */
export const SLOT_MILLIS_UNMEASURED = 200
/** Clusters begin with 400 ms and only get faster: what takes longer on average stood still meanwhile. */
const SLOT_MILLIS_MAX = 400
/** A faster one is the leap of an endpoint. */
const SLOT_MILLIS_MIN = 50
/** The average is of so long, and of no less than a sixth of it: single slots are skipped. */
const WINDOW_MILLIS = 60_000
const MEASURED_AFTER_MILLIS = 10_000

interface Sighting {
  readonly slot: bigint
  /** Monotonic milliseconds. */
  readonly at: number
}

/** How long a slot of the chain takes, from the slots that its endpoints show over time. */
export class SlotPace {
  #seen: ReadonlyArray<Sighting> = []

  /** Lower slots are of endpoints behind, until none was higher for the whole window, as after a cluster was reset. */
  see(slot: bigint, at: number): void {
    const last = this.#seen.at(-1)
    const isOver = last === undefined || at - last.at > WINDOW_MILLIS
    if (!isOver && slot <= last.slot) return
    this.#seen = isOver ? [{ slot, at }] : [...this.#seen.filter((one) => one.at >= at - WINDOW_MILLIS), { slot, at }]
  }

  get slotMillis(): number {
    const [first] = this.#seen
    const last = this.#seen.at(-1)
    if (first === undefined || last === undefined || last.at - first.at < MEASURED_AFTER_MILLIS)
      return SLOT_MILLIS_UNMEASURED
    return Math.min(Math.max((last.at - first.at) / Number(last.slot - first.slot), SLOT_MILLIS_MIN), SLOT_MILLIS_MAX)
  }
}
