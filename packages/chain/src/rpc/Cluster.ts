import type { Endpoint } from "./Endpoint.ts"
import { ANY_GENESIS } from "./Network.ts"

/**
 * Which cluster all endpoints have to be of. With `any`, it is the one of the most preferred endpoint that answers at the
 * start; an endpoint of another one is refused until the service starts again, because falling over to another chain
 * is worse than not falling over.
 */
export class Cluster {
  readonly #expected: string
  readonly #endpoints: ReadonlyArray<Endpoint>
  #agreed: string | undefined

  constructor(genesisHash: string, endpoints: ReadonlyArray<Endpoint>) {
    this.#expected = genesisHash
    this.#endpoints = endpoints
  }

  /** `undecided` while a more preferred endpoint has still to answer for the first time. */
  verdictOn(endpoint: Endpoint, genesisHash: string): "right" | "wrong" | "undecided" {
    if (this.#expected !== ANY_GENESIS) return genesisHash === this.#expected ? "right" : "wrong"
    // Nobody to disagree with: a validator that starts anew has a new genesis hash.
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
