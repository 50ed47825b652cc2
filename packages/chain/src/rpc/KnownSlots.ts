import type { Endpoint } from "./Endpoint.ts"
import { SlotPace } from "./SlotPace.ts"

/** A slot unconfirmed for this long no longer counts, e.g. after the reset of a test cluster. */
const REMEMBERED_MILLIS = 300_000
/** The chain has not stood still before this. */
const STILL_MILLIS = 60_000

/** The slots that endpoints show. The highest one is the chain's: a node cannot be ahead of its chain. */
export class KnownSlots {
  readonly #all: ReadonlyArray<Endpoint>
  readonly #now: () => number
  readonly #pace = new SlotPace()

  constructor(all: ReadonlyArray<Endpoint>, now: () => number) {
    this.#all = all
    this.#now = now
  }

  /** Records a slot of the endpoint. */
  see(endpoint: Endpoint, slot: bigint): void {
    const now = this.#now()
    const { lastSlot: last } = endpoint
    endpoint.lastSlot = { slot, seenAt: now, changedAt: slot === last?.slot ? last.changedAt : now }
    this.#pace.see(slot, now)
  }

  /** How long a slot takes, as it was measured lately. */
  get slotMillis(): number {
    return this.#pace.slotMillis
  }

  /** Slots behind the highest one that was shown lately. */
  lagOf(slot: bigint): bigint {
    const oldest = this.#now() - REMEMBERED_MILLIS
    let best = slot
    for (const { health, lastSlot } of this.#all) {
      if (lastSlot === undefined || !health.isVerified) continue
      if (lastSlot.seenAt >= oldest && lastSlot.slot > best) best = lastSlot.slot
    }
    return best - slot
  }

  /** How long no endpoint that answers has shown another slot; `undefined` for less than a minute. */
  stillMillis(): number | undefined {
    const now = this.#now()
    const shown = this.#all.flatMap(({ lastSlot }) =>
      lastSlot !== undefined && now - lastSlot.seenAt <= STILL_MILLIS ? [now - lastSlot.changedAt] : [],
    )
    const millis = Math.min(...shown)
    return shown.length > 0 && millis > STILL_MILLIS ? millis : undefined
  }
}
