import { createSolanaRpc, type Rpc as KitRpc, type SolanaRpcApi } from "@solana/kit"
import { Redacted } from "effect"
import type { RpcFault } from "./RpcError.ts"

/** Failures in a row after which an endpoint is left alone for a while. */
const FAILURES_MAX = 3
const COOL_DOWN_MILLIS = 2_000
const COOL_DOWN_MILLIS_MAX = 30_000
/** An endpoint that refuses our key, or is of another cluster, is asked again this rarely. */
const BENCH_MILLIS = 60_000

/** `open`: left alone until its time has come, then probed by a single call. */
export type EndpointState = "closed" | "open" | "paused" | "benched"

/** What was last seen of an endpoint; holds nothing secret. */
export interface EndpointStatus {
  readonly name: string
  readonly state: EndpointState
  readonly lastSlot: string | null
  readonly lastFault: string | null
  readonly latencyMillis: number | null
  readonly calls: number
  readonly failures: number
}

/** One RPC endpoint with the state of its circuit breaker. */
export class Endpoint {
  readonly name: string
  readonly rpc: KitRpc<SolanaRpcApi>
  isVerified = false
  #state: EndpointState = "closed"
  #openUntil = 0
  #isProbing = false
  #failuresInRow = 0
  #opens = 0
  #lastFault: string | null = null
  #lastSlot: bigint | null = null
  #latencyMillis: number | null = null
  #calls = 0
  #failures = 0

  constructor(name: string, url: Redacted.Redacted) {
    this.name = name
    this.rpc = createSolanaRpc(Redacted.value(url))
  }

  /** Whether a call may go here now. After a cool-down it is one call at a time, until one succeeds. */
  isAvailable(nowMillis: number): boolean {
    return this.#state === "closed" || (nowMillis >= this.#openUntil && !this.#isProbing)
  }

  /** Returns whether the call is the probe of an endpoint that was out of use. */
  began(): boolean {
    this.#calls++
    const isProbe = this.#state !== "closed"
    if (isProbe) this.#isProbing = true
    return isProbe
  }

  /** Returns whether this call brought the endpoint back. */
  succeeded(latencyMillis = this.#latencyMillis): boolean {
    const isBack = this.#state !== "closed"
    this.#state = "closed"
    this.#isProbing = false
    this.#failuresInRow = 0
    this.#opens = 0
    this.#latencyMillis = latencyMillis
    return isBack
  }

  /** Returns whether this fault took the endpoint out of use. */
  failed(fault: RpcFault, nowMillis: number, isProbe: boolean): boolean {
    const wasClosed = this.#state === "closed"
    if (isProbe) this.#isProbing = false
    this.#lastFault = fault._tag
    if (!wasClosed && !isProbe) {
      // Sent before the endpoint was taken out of use: says nothing that is not known.
      this.#failures++
      return false
    }
    if (fault._tag === "RateLimited") {
      // Being told to wait is no fault.
      this.#leave("paused", nowMillis + fault.retryAfterMillis)
      return wasClosed
    }
    this.#failures++
    this.#failuresInRow++
    if (fault._tag === "Forbidden" || fault._tag === "WrongCluster") {
      this.#leave("benched", nowMillis + BENCH_MILLIS)
      return wasClosed
    }
    if (wasClosed && this.#failuresInRow < FAILURES_MAX) return false
    this.#leave("open", nowMillis + Math.min(COOL_DOWN_MILLIS * 2 ** this.#opens++, COOL_DOWN_MILLIS_MAX))
    // It may come back as another machine: its cluster is checked anew.
    this.isVerified = false
    return wasClosed
  }

  /** The call was given up without saying anything about the endpoint. */
  abandoned(isProbe: boolean): void {
    if (isProbe) this.#isProbing = false
  }

  sawSlot(slot: bigint): void {
    if (this.#lastSlot === null || slot > this.#lastSlot) this.#lastSlot = slot
  }

  get status(): EndpointStatus {
    return {
      name: this.name,
      state: this.#state,
      lastSlot: this.#lastSlot === null ? null : String(this.#lastSlot),
      lastFault: this.#lastFault,
      latencyMillis: this.#latencyMillis,
      calls: this.#calls,
      failures: this.#failures,
    }
  }

  #leave(state: EndpointState, untilMillis: number): void {
    this.#state = state
    this.#openUntil = untilMillis
  }
}
