/**
 * How much more than one request a call may cost on average: every call earns a share, every further request costs one.
 * In quiet times the budget fills up to `most`, which is what a sudden outage may spend at once.
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
