/** Clients that ask one URL again and again. */
export class Callers {
  /** Whole answers. */
  answered = 0
  /** Answers that ended before their end. */
  cut = 0
  /** Answers with another status than 200. */
  readonly refused = new Map<number, number>()
  /** Requests without an answer: no connection, or it was closed before one began. */
  unanswered = 0
  #isStopped = false
  readonly #ended: Promise<unknown>

  constructor(url: string, clients: number) {
    this.#ended = Promise.all(Array.from({ length: clients }, () => this.#call(url)))
  }

  async #call(url: string): Promise<void> {
    while (!this.#isStopped) {
      const response = await fetch(url).catch(() => undefined)
      if (response === undefined) {
        this.unanswered++
        await new Promise((resolve) => setTimeout(resolve, 20))
        continue
      }
      const isWhole = await response.arrayBuffer().then(
        () => true,
        () => false,
      )
      if (!isWhole) this.cut++
      else if (response.status === 200) this.answered++
      else this.refused.set(response.status, (this.refused.get(response.status) ?? 0) + 1)
    }
  }

  stop(): Promise<unknown> {
    this.#isStopped = true
    return this.#ended
  }
}
