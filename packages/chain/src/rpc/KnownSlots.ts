import type { Endpoint } from "./Endpoint.ts"
import type { EndpointState } from "./EndpointHealth.ts"

/** A slot unconfirmed for this long no longer counts, e.g. after the reset of a test cluster. */
const REMEMBERED_MILLIS = 300_000
/** No cluster makes slots faster than this. */
const SLOT_MILLIS_MIN = 100
/** Ten minutes of the mainnet: a node that lags and catches up lags less. */
const LEAP_SLOTS = 1_500
/** An endpoint that has advanced within this time is not one that stands still. */
const ADVANCING_MILLIS = 60_000
/** Those behind count as well: a leap in two steps puts them behind with the first one. */
const GOES_ON: ReadonlySet<EndpointState> = new Set(["closed", "behind"])

/**
 * Which of the slots that endpoints show is taken for the chain's, so that those below it are behind.
 *
 * The highest one is, unless it lies more than `LEAP_SLOTS` ahead of all that was known, time that has passed included,
 * while another endpoint, in use or behind, advances below it. A first slot, a leap that all endpoints make, as after a pause of this
 * process, and a leap away from those that stand still are believed.
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
