/** A blockhash a transaction can be built on, and the last block height at which it can land. */
export interface LatestBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
  /** Slot at which it was the latest. */
  readonly slot: bigint
}

/** A blockhash is good for 150 blocks, about a minute; one this old has lost five. */
const FRESH_MILLIS = 2_000

/** The newest blockhash that any endpoint in step with the others has shown. */
export class ChainHead {
  #latest: LatestBlockhash | undefined
  #seenAt = 0

  see(latest: LatestBlockhash, now: number): void {
    if (this.#isFresh(now) && this.#latest !== undefined && latest.slot < this.#latest.slot) return
    this.#latest = latest
    this.#seenAt = now
  }

  /** Nothing when what is known is too old to build on. */
  fresh(now: number): LatestBlockhash | undefined {
    return this.#isFresh(now) ? this.#latest : undefined
  }

  #isFresh(now: number): boolean {
    return now - this.#seenAt <= FRESH_MILLIS
  }
}
