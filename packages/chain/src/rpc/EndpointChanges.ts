import type { RpcEndpointChange } from "@launch-registry/domain/system/RpcReport"

const KEPT = 50

/** What happened to the endpoints: the last changes, newest first. */
export class EndpointChanges {
  /** Milliseconds since 1970. */
  readonly #timeMillis: () => number
  #newestFirst: ReadonlyArray<RpcEndpointChange> = []

  constructor(timeMillis: () => number) {
    this.#timeMillis = timeMillis
  }

  note(event: RpcEndpointChange["event"], endpoint: string, detail: string | null): void {
    const change = { at: new Date(this.#timeMillis()).toISOString(), endpoint, event, detail }
    this.#newestFirst = [change, ...this.#newestFirst].slice(0, KEPT)
  }

  get newestFirst(): ReadonlyArray<RpcEndpointChange> {
    return this.#newestFirst
  }
}
