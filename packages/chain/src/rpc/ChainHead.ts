/** A blockhash a transaction can be built on, and the last block height at which it can land. */
export interface LatestBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
  /** Slot at which it was the latest. */
  readonly slot: bigint
}

/** A blockhash is good for 150 blocks, about a minute; one this old has lost five. */
const FRESH_MILLIS = 2_000
/** A node whose slot has not advanced for this long is stuck; its blockhash is thirty blocks old. */
const PROGRESS_MILLIS = 12_000

/** The newest blockhash that any endpoint in step with the others has shown. Times are monotonic milliseconds. */
export class ChainHead {
  #latest: LatestBlockhash | undefined
  #seenAt = 0
  #advancedAt = 0

  see(latest: LatestBlockhash, now: number): void {
    const known = this.#latest
    if (known !== undefined && latest.slot < known.slot && this.#isFresh(now)) return
    if (known?.slot !== latest.slot) this.#advancedAt = now
    this.#latest = latest
    this.#seenAt = now
  }

  /** `undefined` when the newest known blockhash is too old to build on. */
  fresh(now: number): LatestBlockhash | undefined {
    return this.#isFresh(now) ? this.#latest : undefined
  }

  /** Whether no endpoint has seen the chain advance lately. */
  isStuck(now: number): boolean {
    return this.#latest !== undefined && now - this.#advancedAt > PROGRESS_MILLIS && this.#isFresh(now)
  }

  #isFresh(now: number): boolean {
    return now - this.#seenAt <= FRESH_MILLIS
  }
}
