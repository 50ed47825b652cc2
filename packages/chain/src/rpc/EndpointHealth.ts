import type { RpcEndpointState } from "@launch-registry/domain/system/RpcReport"

/** Consecutive failures that open the breaker. */
const FAILURES_MAX = 3
/** First cool-down, and the factor by which it grows while the endpoint keeps failing. */
const COOL_DOWN_MILLIS = 2_000
const COOL_DOWN_GROWTH = 4
const COOL_DOWN_MILLIS_MAX = 30_000
/** An endpoint that was in use this long without failing starts again with the first cool-down. */
const STABLE_MILLIS = 60_000
/** First pause after a 429 without `Retry-After`. */
const PAUSE_MILLIS = 1_000
/** Consecutive good probes that bring an endpoint back while another one serves. */
const GOOD_PROBES = 3
/** An endpoint more slots than this behind the best one is not used; a blockhash lasts 150. */
export const SLOT_LAG_MAX = 25
/** A slower probe does not count as good while another endpoint serves. */
const SLOW_PROBE_MILLIS = 500

/**
 * Whether and why an endpoint is in use. `closed` is the breaker's word for in use.
 *
 * - `open`: failed; probed after a cool-down, in use again after good probes
 * - `paused`: asked for a pause (429), the breaker stays closed
 * - `behind`: too many slots behind the best endpoint
 * - `forbidden`: refuses our key; needs another configuration
 * - `wrong_cluster`: its genesis hash is not that of the network
 * - `unverified`: no probe has been answered yet, or none since it refused a call
 * - `resting`: not called for a while; it is probed before it is used again
 */
export type EndpointState = typeof RpcEndpointState.Type

/** The circuit breaker of one endpoint, and everything else that keeps it out of use. Times are in milliseconds. */
export class EndpointHealth {
  #cluster: "unverified" | "resting" | "verified" | "wrong" = "unverified"
  #isForbidden = false
  #isBehind = false
  #isOpen = false
  #failuresInRow = 0
  #probesFailedInRow = 0
  #goodProbes = 0
  #opens = 0
  #openUntil = 0
  #closedAt = 0
  #pausedUntil = 0
  #pauses = 0
  #answeredAt = Number.NEGATIVE_INFINITY

  stateAt(now: number): EndpointState {
    if (this.#isForbidden) return "forbidden"
    if (this.#cluster === "wrong") return "wrong_cluster"
    if (this.#isOpen) return "open"
    if (now < this.#pausedUntil) return "paused"
    if (this.#cluster !== "verified") return this.#cluster
    return this.#isBehind ? "behind" : "closed"
  }

  get isVerified(): boolean {
    return this.#cluster === "verified"
  }

  get pausedUntil(): number {
    return this.#pausedUntil
  }

  /** When an open breaker may be probed. */
  get openUntil(): number {
    return this.#openUntil
  }

  get isHalfOpen(): boolean {
    return this.#isOpen && this.#goodProbes > 0
  }

  /** Probes that failed since the last good one, while in use. */
  get probesFailedInRow(): number {
    return this.#probesFailedInRow
  }

  /** A call was answered, possibly with a rejection of the request. */
  answered(now: number): void {
    this.#answeredAt = now
    this.#failuresInRow = 0
  }

  /** A call failed. */
  failed(now: number): void {
    if (this.#isOpen) return
    if (++this.#failuresInRow >= FAILURES_MAX) this.#open(now)
  }

  /** The endpoint asked for a pause (429). That is not a failure; repeated pauses grow longer. */
  pause(now: number, millis: number): void {
    if (now < this.#pausedUntil) {
      // Sent before the pause.
      this.#pausedUntil = Math.max(this.#pausedUntil, now + millis)
      return
    }
    if (now - this.#pausedUntil > STABLE_MILLIS) this.#pauses = 0
    this.#pausedUntil = now + Math.max(millis, Math.min(PAUSE_MILLIS * 2 ** this.#pauses++, COOL_DOWN_MILLIS_MAX))
  }

  /** The endpoint reported that it lags; holds until its slot is seen again. */
  fellBehind(): void {
    this.#isBehind = true
  }

  forbid(): void {
    this.#isForbidden = true
  }

  /** A probe has to be answered before the endpoint is used again. */
  unverify(): void {
    if (this.#cluster === "verified") this.#cluster = "unverified"
  }

  /** No calls arrive: the endpoint is probed rarely, and again before its next use. */
  rest(): void {
    if (this.#cluster === "verified") this.#cluster = "resting"
  }

  verify(isRightCluster: boolean): void {
    this.#cluster = isRightCluster ? "verified" : "wrong"
  }

  /** A probe was answered by an endpoint of the right cluster. */
  probeSucceeded(probe: {
    readonly now: number
    readonly latencyMillis: number
    /** Slots behind the best endpoint. */
    readonly slotLag: number
    /** Whether another endpoint is in use meanwhile. */
    readonly isCovered: boolean
  }): void {
    this.#answeredAt = probe.now
    this.#probesFailedInRow = 0
    // It returns at half the allowed lag; returning at the limit would make it flap.
    this.#isBehind = probe.slotLag > (this.#isBehind ? SLOT_LAG_MAX / 2 : SLOT_LAG_MAX)
    if (!this.#isOpen) return
    if (probe.isCovered && probe.latencyMillis > SLOW_PROBE_MILLIS) return void (this.#goodProbes = 0)
    if (++this.#goodProbes < GOOD_PROBES && probe.isCovered) return
    this.#isOpen = false
    this.#closedAt = probe.now
    this.#failuresInRow = 0
  }

  /**
   * A probe failed. When it timed out or got no connection and nothing else was answered since, the breaker opens at
   * once if another endpoint serves, if calls have been waiting even longer, or if the latest call failed too.
   */
  probeFailed(probe: {
    readonly now: number
    readonly startedAt: number
    /** Whether there was no answer at all. */
    readonly isSilence: boolean
    readonly canLeave: boolean
  }): void {
    this.#goodProbes = 0
    if (this.#isOpen) return
    const isSilent = probe.isSilence && this.#answeredAt < probe.startedAt
    const isConfirmed = probe.canLeave || this.#failuresInRow > 0
    if ((isSilent && isConfirmed) || ++this.#probesFailedInRow >= FAILURES_MAX) this.#open(probe.now)
  }

  #open(now: number): void {
    if (now - this.#closedAt > STABLE_MILLIS) this.#opens = 0
    this.#isOpen = true
    this.#goodProbes = 0
    this.#failuresInRow = 0
    this.#probesFailedInRow = 0
    this.#openUntil = now + Math.min(COOL_DOWN_MILLIS * COOL_DOWN_GROWTH ** this.#opens++, COOL_DOWN_MILLIS_MAX)
  }
}
