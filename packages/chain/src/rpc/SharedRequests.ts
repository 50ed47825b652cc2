import type { Outcome } from "./Endpoint.ts"

interface Shared {
  readonly waiting: Set<(outcome: Outcome) => void>
  readonly cancel: () => void
}

/** Starts a request; returns what cancels it. */
export type Start = (finish: (outcome: Outcome) => void) => () => void

/** Identical reads under way are one request: it is cancelled when the last of those who wait for it has left. */
export class SharedRequests {
  readonly #shared = new Map<string, Shared>()

  /** Joins the request under way with this key, or starts it. Returns what leaves it. */
  join(key: string, finish: (outcome: Outcome) => void, start: Start): () => void {
    const waiter = (outcome: Outcome) => finish(outcome)
    let shared = this.#shared.get(key)
    if (shared === undefined) {
      const waiting = new Set([waiter])
      let isOver = false
      const cancel = start((outcome) => {
        isOver = true
        this.#shared.delete(key)
        for (const each of [...waiting]) each(outcome)
      })
      shared = { waiting, cancel }
      if (!isOver) this.#shared.set(key, shared)
    } else shared.waiting.add(waiter)
    const { cancel, waiting } = shared
    return () => {
      if (!waiting.delete(waiter) || waiting.size > 0) return
      // Only the request that is still under way by this key may be taken off it.
      if (this.#shared.get(key)?.waiting === waiting) this.#shared.delete(key)
      cancel()
    }
  }
}
