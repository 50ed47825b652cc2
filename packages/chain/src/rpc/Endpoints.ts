import type { RpcEndpointChange } from "@launch-registry/domain/system/RpcReport"
import type { Cluster } from "./Cluster.ts"
import type { Cordon, Endpoint } from "./Endpoint.ts"
import { type EndpointState, SLOT_LAG_MAX } from "./EndpointHealth.ts"
import { KnownSlots } from "./KnownSlots.ts"
import { policyOf } from "./Methods.ts"
import { GENESIS } from "./ProbeRequest.ts"
import { describeFault, isSoundAnswer, isSuspect, type RpcFault } from "./RpcError.ts"

/** How many of the last changes are shown. */
const CHANGES_KEPT = 50

/** In use as soon as a probe is answered. */
const IS_PENDING: ReadonlySet<EndpointState> = new Set(["unverified", "resting"])

export interface EndpointsOptions {
  readonly all: ReadonlyArray<Endpoint>
  readonly cluster: Cluster
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Milliseconds since 1970. */
  readonly timeMillis: () => number
  /** Logs one line per transition. */
  readonly log: (level: "info" | "warning", line: string) => void
  /** Has an endpoint probed as soon as possible. */
  readonly probeSoon: (endpoint: Endpoint) => void
}

/** All endpoints in order of preference, and the reactions to a change of one of them. */
export class Endpoints {
  readonly all: ReadonlyArray<Endpoint>
  readonly slots: KnownSlots
  /** What happened to the endpoints, newest first. */
  changes: ReadonlyArray<RpcEndpointChange> = []
  /** How often another endpoint became the first choice. */
  switches = 0
  readonly #options: EndpointsOptions
  readonly #announced = new Map<Endpoint, EndpointState>()
  #preferred: Endpoint | undefined
  #isOutage = false
  #waitingForUse: Array<() => void> = []

  constructor(options: EndpointsOptions) {
    this.all = options.all
    this.slots = new KnownSlots(options.all, options.now)
    this.#options = options
  }

  /** The endpoints that may be asked now. */
  usable(): ReadonlyArray<Endpoint> {
    return this.all.filter((endpoint) => this.isUsable(endpoint))
  }

  isUsable(endpoint: Endpoint): boolean {
    return endpoint.health.stateAt(this.#options.now()) === "closed" && !this.isCordoned(endpoint)
  }

  /**
   * Whether an endpoint gets no calls because it is cordoned. When all are, cordons do not count: whoever cordons the last
   * endpoint does not mean to stop the service, and everything would stop.
   */
  isCordoned(endpoint: Endpoint): boolean {
    return endpoint.cordon !== undefined && this.all.some(({ cordon }) => cordon === undefined)
  }

  /**
   * Applies the cordons, by name of the endpoint; those of endpoints that are not configured here mean nothing. Whether any has
   * changed.
   */
  cordon(cordons: ReadonlyMap<string, Cordon>): boolean {
    const changed = this.all.filter(({ cordon, name }) => cordon?.reason !== cordons.get(name)?.reason)
    for (const endpoint of this.all) endpoint.cordon = cordons.get(endpoint.name)
    for (const endpoint of changed) {
      const { cordon, name } = endpoint
      const rest = cordon !== undefined && !this.isCordoned(endpoint) ? "; all endpoints are, so calls go on" : ""
      this.#note(cordon === undefined ? "uncordoned" : "cordoned", name, cordon?.reason ?? null)
      if (cordon === undefined) this.#options.log("info", `RPC ${name} is not cordoned any more`)
      else this.#options.log("warning", `RPC ${name} is cordoned: ${cordon.reason}${rest}`)
      this.review(endpoint)
    }
    return changed.length > 0
  }

  isOtherUsable(endpoint: Endpoint): boolean {
    return this.all.some((other) => other !== endpoint && this.isUsable(other))
  }

  /** Applies a failed call to its endpoint. `isItsFault`: another endpoint could serve the same call. */
  failed(endpoint: Endpoint, method: string, fault: RpcFault, isItsFault = false): void {
    // `admit` has drawn the consequences.
    if (fault._tag === "WrongCluster") return
    const { health } = endpoint
    const now = this.#options.now()
    if (fault._tag !== "Rejected" && !isItsFault) endpoint.note(fault, method)
    if (fault._tag === "RateLimited") health.pause(now, fault.retryAfterMillis)
    else if (fault._tag === "Forbidden") {
      // Many providers refuse single methods: a probe shows whether the key or the method is refused.
      endpoint.refuse(method)
      health.unverify()
      this.#options.probeSoon(endpoint)
    } else if (isSoundAnswer(fault) && !isItsFault) {
      if (!isSuspect(fault)) health.answered(now)
      if (fault._tag === "Behind" && fault.code === -32005) health.fellBehind()
    } else if (policyOf(method).isOfAnySize === true) this.#options.probeSoon(endpoint)
    else health.failed(now)
    this.review(endpoint)
  }

  /** Why an endpoint with this genesis hash may not be used; `undefined` when it may. */
  admit(endpoint: Endpoint, genesisHash: string): RpcFault | undefined {
    endpoint.genesisHash = genesisHash
    const verdict = this.#options.cluster.verdictOn(endpoint, genesisHash)
    if (verdict === "right") return undefined
    if (verdict === "undecided") return { _tag: "NoEndpoint" }
    const fault: RpcFault = { _tag: "WrongCluster", genesisHash }
    endpoint.note(fault, GENESIS.method)
    endpoint.disown(fault)
    this.review(endpoint)
    return fault
  }

  /** Resolves when an endpoint comes into use, or when none can soon. */
  whenUsable(): Promise<void> {
    return new Promise((resolve) => this.#waitingForUse.push(resolve))
  }

  /** Whether it may come into use as soon as its next probe is answered. */
  isAboutToBeUsable(endpoint: Endpoint): boolean {
    return IS_PENDING.has(endpoint.health.stateAt(this.#options.now())) && !this.isCordoned(endpoint)
  }

  isAnyAboutToBeUsable(): boolean {
    return this.all.some((endpoint) => this.isAboutToBeUsable(endpoint))
  }

  /** Applies what has changed at an endpoint. */
  review(endpoint: Endpoint): void {
    const state = endpoint.health.stateAt(this.#options.now())
    if (!IS_PENDING.has(state) && state !== (this.#announced.get(endpoint) ?? "closed")) {
      this.#announced.set(endpoint, state)
      this.#announce(endpoint, state)
    }
    // Requests waiting there would never be answered.
    if (state === "open") for (const call of [...endpoint.waiting]) call.moveOn()
    const [preferred] = this.usable()
    if (preferred === undefined) {
      // Cool-downs are for endpoints that can be spared.
      if (!this.#isOutage) for (const one of this.all) this.#options.probeSoon(one)
    } else if (preferred !== this.#preferred) {
      // At startup the first choice may be verified a moment after the second: that is not a switch.
      const isFirstUse =
        this.#preferred === undefined || (this.isUsable(this.#preferred) && preferred.figures.timesOut === 0)
      if (!isFirstUse) {
        this.switches++
        this.#note("preferred", preferred.name, this.#preferred?.name ?? null)
      }
      this.#preferred = preferred
    }
    this.#isOutage = preferred === undefined
    if (preferred !== undefined || !this.isAnyAboutToBeUsable()) {
      const waiting = this.#waitingForUse
      this.#waitingForUse = []
      for (const resume of waiting) resume()
    }
  }

  #note(event: RpcEndpointChange["event"], endpoint: string, detail: string | null): void {
    const change = { at: new Date(this.#options.timeMillis()).toISOString(), endpoint, event, detail }
    this.changes = [change, ...this.changes].slice(0, CHANGES_KEPT)
  }

  #announce(endpoint: Endpoint, state: EndpointState): void {
    const { log } = this.#options
    if (state === "closed") {
      this.#note("in_use", endpoint.name, null)
      return log(
        "info",
        `RPC ${endpoint.name} is back in use${this.isCordoned(endpoint) ? ", once it is uncordoned" : ""}`,
      )
    }
    endpoint.figures.timesOut++
    const [next] = this.usable()
    const rest = next === undefined ? "no other endpoint is in use" : `${next.name} serves`
    const reason = this.#reasonOf(endpoint, state)
    this.#note("out_of_use", endpoint.name, `${state}: ${reason}`)
    log("warning", `RPC ${endpoint.name} is out of use (${state}): ${reason}; ${rest}`)
  }

  #reasonOf({ lastFault, lastSlot }: Endpoint, state: EndpointState): string {
    if (state === "behind" && lastSlot !== undefined)
      return `${this.slots.lagOf(lastSlot.slot)} slots behind, at most ${SLOT_LAG_MAX} are allowed`
    return lastFault === undefined ? "no answer" : `${describeFault(lastFault.fault)} on ${lastFault.method}`
  }
}
