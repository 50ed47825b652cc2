import type { Endpoint } from "./Endpoint.ts"
import type { EndpointState } from "./EndpointHealth.ts"

/** A slot unconfirmed for this long no longer counts, e.g. after the reset of a test cluster. */
const REMEMBERED_MILLIS = 300_000
/** The fastest rate at which a cluster produces slots. */
const SLOT_MILLIS_MIN = 100
/** Ten minutes of mainnet: more than a node that catches up was behind. */
const LEAP_SLOTS = 1_500
/** An endpoint that advanced within this time is not stuck. */
const ADVANCING_MILLIS = 60_000
/** Endpoints that are behind count as well: the first step of a two-step leap already puts them behind. */
const GOES_ON: ReadonlySet<EndpointState> = new Set(["closed", "behind"])

/**
 * Which of the slots that endpoints show is taken for the chain's, so that those below it are behind.
 *
 * The highest one is, unless it lies more than `LEAP_SLOTS` ahead of all that was known, time that has passed included,
 * while another endpoint, in use or behind, advances below it. A first slot is believed, and so is a leap that all
 * endpoints make (for example after this process was paused) or a leap while the others are stuck.
 */
export class KnownSlots {
  readonly #all: ReadonlyArray<Endpoint>
  readonly #now: () => number

  constructor(all: ReadonlyArray<Endpoint>, now: () => number) {
    this.#all = all
    this.#now = now
  }

  /** Records a slot of the endpoint; returns whether it is believed. */
  see(endpoint: Endpoint, slot: bigint): boolean {
    const now = this.#now()
    const { lastSlot: last } = endpoint
    const isBelieved = this.isBelievable(slot, endpoint)
    const advancedAt = last !== undefined && slot > last.slot ? now : slot === last?.slot ? last.advancedAt : undefined
    endpoint.lastSlot = { slot, seenAt: now, advancedAt, isBelieved }
    return isBelieved
  }

  isBelievable(slot: bigint, shownBy?: Endpoint): boolean {
    const now = this.#now()
    const isWithinReach = this.#all.some(({ lastSlot: known }) => {
      if (known === undefined || !known.isBelieved) return false
      return slot <= known.slot + BigInt(LEAP_SLOTS + Math.ceil((now - known.seenAt) / SLOT_MILLIS_MIN))
    })
    const goesOnBelow = (other: Endpoint) => {
      const { advancedAt, isBelieved } = other.lastSlot ?? {}
      if (other === shownBy || isBelieved !== true || advancedAt === undefined) return false
      return now - advancedAt <= ADVANCING_MILLIS && GOES_ON.has(other.health.stateAt(now))
    }
    return isWithinReach || !this.#all.some(goesOnBelow)
  }

  /** Slots behind the highest one that is believed and was shown lately. */
  lagOf(slot: bigint): bigint {
    const oldest = this.#now() - REMEMBERED_MILLIS
    let best = slot
    for (const { health, lastSlot } of this.#all) {
      if (health.isVerified && lastSlot?.isBelieved === true && lastSlot.seenAt >= oldest && lastSlot.slot > best)
        best = lastSlot.slot
    }
    return best - slot
  }
}
