import type { Endpoint } from "./Endpoint.ts"
import type { EndpointState } from "./EndpointHealth.ts"
import { SlotPace } from "./SlotPace.ts"

/** A slot unconfirmed for this long no longer counts, e.g. after the reset of a test cluster. */
const REMEMBERED_MILLIS = 300_000
/** A cluster may have become so much faster than it was measured. */
const FASTER_MAX = 2
/** More than a node that catches up was behind. */
const LEAP_SLOTS = 1_500
/** An endpoint that advanced within this time is not stuck. */
const ADVANCING_MILLIS = 60_000
/** Endpoints that are behind count as well: the first step of a two-step leap already puts them behind. */
const GOES_ON: ReadonlySet<EndpointState> = new Set(["closed", "behind"])

/**
 * Which of the slots that endpoints show is taken for the chain's, so that those below it are behind.
 *
 * The highest one is, unless it lies more than `LEAP_SLOTS` ahead of all that was known, time that has passed included,
 * while as many endpoints, in use or behind, advance below it as go on from there. A first slot is believed, and so is a leap that all
 * endpoints make (for example after this process was paused), that most of them make, or one makes while the others are stuck. Of two that
 * disagree, the one ahead is believed in the end: a node cannot be ahead of its chain.
 */
export class KnownSlots {
  readonly #all: ReadonlyArray<Endpoint>
  readonly #now: () => number
  readonly #pace = new SlotPace()

  constructor(all: ReadonlyArray<Endpoint>, now: () => number) {
    this.#all = all
    this.#now = now
  }

  /** Records a slot of the endpoint; returns whether it is believed. */
  see(endpoint: Endpoint, slot: bigint): boolean {
    const now = this.#now()
    const { lastSlot: last } = endpoint
    const isBelieved = this.isBelievable(slot, endpoint)
    const isSame = slot === last?.slot
    const advancedAt = last !== undefined && slot > last.slot ? now : isSame ? last.advancedAt : undefined
    const doubtedAt = isBelieved ? undefined : (last?.doubtedAt ?? now)
    endpoint.lastSlot = { slot, seenAt: now, changedAt: isSame ? last.changedAt : now, advancedAt, doubtedAt }
    if (isBelieved) this.#pace.see(slot, now)
    return isBelieved
  }

  /** How long a slot takes, as it was measured lately. */
  get slotMillis(): number {
    return this.#pace.slotMillis
  }

  isBelievable(slot: bigint, shownBy?: Endpoint): boolean {
    const now = this.#now()
    const isWithinReach = this.#all.some(({ lastSlot: known }) => {
      if (known === undefined || known.doubtedAt !== undefined) return false
      return slot <= known.slot + BigInt(LEAP_SLOTS + Math.ceil((FASTER_MAX * (now - known.seenAt)) / this.slotMillis))
    })
    if (isWithinReach) return true
    const advances = ({ health, lastSlot }: Endpoint) =>
      lastSlot?.advancedAt !== undefined &&
      now - lastSlot.advancedAt <= ADVANCING_MILLIS &&
      GOES_ON.has(health.stateAt(now))
    const others = this.#all.filter((other) => other !== shownBy && advances(other))
    const below = others.filter(({ lastSlot }) => lastSlot!.doubtedAt === undefined).length
    const there = others.filter(({ lastSlot }) => lastSlot!.doubtedAt !== undefined && isNear(lastSlot!.slot, slot))
    const above = there.length + (shownBy === undefined ? 0 : 1)
    if (below === 0 || above > below) return true
    const doubtedAt = shownBy?.lastSlot?.doubtedAt
    return above === below && doubtedAt !== undefined && now - doubtedAt >= REMEMBERED_MILLIS && advances(shownBy!)
  }

  /** Slots behind the highest one that is believed and was shown lately. */
  lagOf(slot: bigint): bigint {
    const oldest = this.#now() - REMEMBERED_MILLIS
    let best = slot
    for (const { health, lastSlot } of this.#all) {
      if (lastSlot === undefined || lastSlot.doubtedAt !== undefined || !health.isVerified) continue
      if (lastSlot.seenAt >= oldest && lastSlot.slot > best) best = lastSlot.slot
    }
    return best - slot
  }

  /** How long no endpoint that answers has shown another slot; `undefined` for less than a minute. */
  stillMillis(): number | undefined {
    const now = this.#now()
    const shown = this.#all.flatMap(({ lastSlot }) =>
      lastSlot !== undefined && now - lastSlot.seenAt <= ADVANCING_MILLIS ? [now - lastSlot.changedAt] : [],
    )
    const millis = Math.min(...shown)
    return shown.length > 0 && millis > ADVANCING_MILLIS ? millis : undefined
  }
}

const isNear = (one: bigint, other: bigint): boolean => (one > other ? one - other : other - one) <= BigInt(LEAP_SLOTS)
