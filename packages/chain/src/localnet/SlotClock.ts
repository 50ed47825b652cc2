import { SEED_SLOT, SEED_TIME_SECONDS } from "./SeedAccounts.ts"

/** As on mainnet since September 2026. */
export const SLOT_MILLIS = 250

/** Slots of a local chain from the captured launches on: one every `slotMillis`, none skipped, monotonic. */
export class SlotClock {
  readonly slotMillis: number
  readonly bornAtMillis: number
  #slot: bigint

  /** `slot` is the latest one that the chain is known to have reached. */
  constructor(bornAtMillis: number, slot: bigint, slotMillis: number) {
    this.slotMillis = slotMillis
    this.#slot = slot
    // A system clock that was set back must not lower the slot.
    const latestBirth = Date.now() - Number(slot - SEED_SLOT - 1n) * slotMillis
    this.bornAtMillis = Math.min(bornAtMillis, latestBirth)
  }

  get slot(): bigint {
    const now = SEED_SLOT + 1n + BigInt(Math.floor((Date.now() - this.bornAtMillis) / this.slotMillis))
    if (now > this.#slot) this.#slot = now
    return this.#slot
  }

  /** Seconds since 1970, never before the captured launches. */
  get timeSeconds(): number {
    return Math.max(Math.floor(Date.now() / 1000), SEED_TIME_SECONDS + 1)
  }

  /** Time of a slot without transactions, in seconds since 1970; null for a future slot. */
  timeOf(slot: bigint): number | null {
    if (slot > this.slot) return null
    if (slot <= SEED_SLOT) return SEED_TIME_SECONDS
    // There are no slots between the captured launches and the first block.
    if (slot === SEED_SLOT + 1n) return SEED_TIME_SECONDS + 1
    const millis = this.bornAtMillis + Number(slot - SEED_SLOT - 1n) * this.slotMillis
    return Math.max(Math.floor(millis / 1000), SEED_TIME_SECONDS + 1)
  }
}
