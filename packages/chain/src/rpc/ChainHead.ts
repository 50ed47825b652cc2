/** Blocks for which a blockhash is valid, however long they take. */
export const BLOCKHASH_BLOCKS = 150n

/** A blockhash that an endpoint has shown, and the last block height at which a transaction on it can land. */
export interface SeenBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
  /** Slot at which it was the latest. */
  readonly slot: bigint
}

/** A blockhash to build on. */
export interface LatestBlockhash extends SeenBlockhash {
  /** Until that height, by the pace of the chain: no block is faster than a slot. */
  readonly expiresInSeconds: number
}

/** One this old has lost some of its 150 blocks. */
const FRESH_MILLIS = 2_000
/** A node whose slot has not advanced for this long is stuck; its blockhash may have lost a third of its life. */
const PROGRESS_MILLIS = 12_000

/** The newest blockhash that any endpoint in step with the others has shown. Times are monotonic milliseconds. */
export class ChainHead {
  #latest: SeenBlockhash | undefined
  #seenAt = 0
  #advancedAt = 0

  see(latest: SeenBlockhash, now: number): void {
    const known = this.#latest
    if (known !== undefined && latest.slot < known.slot && this.#isFresh(now)) return
    if (known?.slot !== latest.slot) this.#advancedAt = now
    this.#latest = latest
    this.#seenAt = now
  }

  /** `undefined` when the newest known blockhash is too old to build on. */
  fresh(now: number): SeenBlockhash | undefined {
    return this.#isFresh(now) ? this.#latest : undefined
  }

  /** How long the newest one is valid yet, where a slot takes so long. */
  secondsLeft(now: number, slotMillis: number): number {
    const leftMillis = Number(BLOCKHASH_BLOCKS) * slotMillis - (now - this.#advancedAt)
    return Math.max(0, Math.floor(leftMillis / 1_000))
  }

  /** Whether no endpoint has seen the chain advance lately. */
  isStuck(now: number): boolean {
    return this.#latest !== undefined && now - this.#advancedAt > PROGRESS_MILLIS && this.#isFresh(now)
  }

  #isFresh(now: number): boolean {
    return now - this.#seenAt <= FRESH_MILLIS
  }
}
