import type { Outcome } from "./Endpoint.ts"

interface Shared {
  readonly waiting: Set<(outcome: Outcome) => void>
  readonly cancel: () => void
}

/** Starts a request; returns a function that cancels it. */
export type Start = (finish: (outcome: Outcome) => void) => () => void

/** Coalesces identical reads in flight; a request is cancelled when its last waiter leaves. */
export class SharedRequests {
  readonly #shared = new Map<string, Shared>()

  /** Joins the request in flight with this key, or starts it. Returns a function that leaves it. */
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
      // A later request may already be in flight under this key.
      if (this.#shared.get(key)?.waiting === waiting) this.#shared.delete(key)
      cancel()
    }
  }
}
