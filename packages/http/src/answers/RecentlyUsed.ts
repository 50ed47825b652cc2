/** Values by key, limited in bytes: the least recently used are dropped. */
export class RecentlyUsed<A> {
  readonly #bytesMax: number
  readonly #entries = new Map<string, { readonly value: A; readonly bytes: number }>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Bytes of all values. */
  get bytes(): number {
    return this.#bytes
  }

  /** A value, which becomes the most recently used. */
  get(key: string): A | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A map iterates in insertion order, so the first key is the least recently used.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Replaces a value. */
  set(key: string, value: A, bytes: number): void {
    this.delete(key)
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}
