import type { Effect } from "effect"
import { type DatapiMessage, FOLLOWED_MAX } from "./DatapiMessage.ts"

/** A launch as far as subscriptions name it. */
interface Followed {
  readonly config: string
  readonly pools: ReadonlyArray<string>
}

/** What a connection has subscribed to. */
export class DatapiReader {
  readonly send: (text: string) => Effect.Effect<void>
  /** Closes the connection. */
  readonly end: () => void
  /** Configurations of new launches; empty means all, `undefined` none. */
  #recent: ReadonlySet<string> | undefined
  readonly #pools = new Set<string>()
  readonly #assets = new Set<string>()

  constructor(send: (text: string) => Effect.Effect<void>, end: () => void) {
    this.send = send
    this.end = end
  }

  /** Whether it may get updates of launches that it does not name. */
  get followsRecent(): boolean {
    return this.#recent !== undefined
  }

  /** Takes a message; says what is wrong if it follows too much. */
  take(message: DatapiMessage): string | undefined {
    switch (message.type) {
      case "subscribe:recent":
        this.#recent = new Set(message.filters?.partnerConfigs)
        return undefined
      case "unsubscribe:recent":
        this.#recent = undefined
        return undefined
      case "subscribe:pool":
        return add(this.#pools, message.pools)
      case "unsubscribe:pool":
        for (const pool of message.pools) this.#pools.delete(pool)
        return undefined
      case "subscribe:txns":
        return add(this.#assets, message.assets)
      case "unsubscribe:txns":
        for (const asset of message.assets) this.#assets.delete(asset)
        return undefined
    }
  }

  followsTrades(mint: string): boolean {
    return this.#assets.has(mint)
  }

  namesPool(pools: ReadonlyArray<string>): boolean {
    return pools.some((pool) => this.#pools.has(pool))
  }

  follows({ config, pools }: Followed): boolean {
    const isRecent = this.#recent !== undefined && (this.#recent.size === 0 || this.#recent.has(config))
    return isRecent || this.namesPool(pools)
  }
}

const add = (followed: Set<string>, added: ReadonlyArray<string>): string | undefined => {
  const all = followed.union(new Set(added))
  if (all.size > FOLLOWED_MAX) return `expected at most ${FOLLOWED_MAX} on a connection; unsubscribe from others first`
  for (const one of all) followed.add(one)
  return undefined
}
