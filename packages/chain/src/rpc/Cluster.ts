import type { Endpoint } from "./Endpoint.ts"
import { ANY_GENESIS } from "./Network.ts"

/**
 * The cluster that every endpoint must belong to. With `any`, it is the cluster of the most preferred endpoint that
 * answers at startup; endpoints of another one are refused until a restart, because failing over to another chain is
 * worse than not failing over.
 */
export class Cluster {
  readonly #expected: string
  readonly #endpoints: ReadonlyArray<Endpoint>
  #agreed: string | undefined

  constructor(genesisHash: string, endpoints: ReadonlyArray<Endpoint>) {
    this.#expected = genesisHash
    this.#endpoints = endpoints
  }

  /** `undecided` while a more preferred endpoint has not answered yet. */
  verdictOn(endpoint: Endpoint, genesisHash: string): "right" | "wrong" | "undecided" {
    if (this.#expected !== ANY_GENESIS) return genesisHash === this.#expected ? "right" : "wrong"
    // A single endpoint may change its genesis hash: a restarted test validator has a new one.
    if (this.#endpoints.length === 1) return "right"
    if (this.#agreed === undefined) {
      const preferred = this.#endpoints.slice(0, this.#endpoints.indexOf(endpoint))
      if (preferred.some((other) => other.genesisHash === undefined && other.lastFault === undefined))
        return "undecided"
      this.#agreed = genesisHash
    }
    return genesisHash === this.#agreed ? "right" : "wrong"
  }
}
