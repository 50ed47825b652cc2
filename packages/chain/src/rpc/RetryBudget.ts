/**
 * Bounds extra requests per call on average: every call earns a share of a token, every extra request costs one. Unused
 * tokens accumulate up to `most`, which a sudden outage may spend at once.
 */
export class RetryBudget {
  readonly #share: number
  readonly #most: number
  #tokens: number

  constructor(share: number, most: number) {
    this.#share = share
    this.#most = most
    this.#tokens = most
  }

  earn(): void {
    this.#tokens = Math.min(this.#tokens + this.#share, this.#most)
  }

  /** Takes one token; false when there is none. */
  spend(): boolean {
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
