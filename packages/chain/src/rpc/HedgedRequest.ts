import type { Endpoint, Outcome, RpcRequest, WaitingCall } from "./Endpoint.ts"
import type { Endpoints } from "./Endpoints.ts"
import { type MethodPolicy, policyOf } from "./Methods.ts"
import { GENESIS } from "./ProbeRequest.ts"
import { isSoundAnswer, isSuspect, type RpcFault } from "./RpcError.ts"

const RETRY_JITTER_MILLIS = 150
/** How long a call waits for an endpoint whose cluster is being checked. */
const VERIFICATION_MILLIS = 1_500
/** In the long run hedges may add a twentieth to the requests, plus the burst that an outage may spend at once. */
const HEDGE_SHARE = 0.05
export const HEDGES_MOST = 20

/** Shared by all requests. */
export interface Failover {
  readonly endpoints: Endpoints
  /** How many hedges may be spent now. */
  hedges: number
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Runs `then` after a delay; returns a function that cancels it. */
  readonly after: (millis: number, then: () => void) => () => void
  readonly random: () => number
  readonly probeSoon: (endpoint: Endpoint) => void
}

interface Attempt extends WaitingCall {
  readonly endpoint: Endpoint
  /** How many endpoints had been asked before. */
  readonly order: number
  readonly controller: AbortController
  /** When it was sent, over a verified connection. */
  sentAt: number | undefined
  stopClock: () => void
}

/**
 * One request on its way through the endpoints.
 *
 * It goes to the first one in use. When the answer is late, the next one is asked as well, and the first answer wins:
 * an endpoint that was asked earlier and lost has failed. When an attempt fails, the next endpoint is asked at once. An
 * attempt's time counts from when its connection is ready; the wait for the connection has the same bound. No endpoint
 * is asked twice, except when the request has only one endpoint: that one is retried once.
 */
export class HedgedRequest {
  readonly #failover: Failover
  readonly #request: RpcRequest
  readonly #policy: MethodPolicy
  readonly #finish: (outcome: Outcome) => void
  readonly #asked = new Set<Endpoint>()
  readonly #attempts = new Set<Attempt>()
  readonly #cancels = new Set<() => void>()
  #last: RpcFault = { _tag: "NoEndpoint" }
  /** Nodes that failed or gave an invalid answer: the next answer shows whether the request was the cause. */
  readonly #suspects = new Map<Endpoint, RpcFault>()
  #notHere = 0
  #isRetried = false
  #isDone = false

  /** `finish` is called once, unless the request is cancelled before. */
  constructor(failover: Failover, request: RpcRequest, finish: (outcome: Outcome) => void) {
    this.#failover = failover
    this.#request = request
    this.#policy = policyOf(request.method)
    this.#finish = finish
  }

  start(): void {
    const failover = this.#failover
    failover.hedges = Math.min(failover.hedges + HEDGE_SHARE, HEDGES_MOST)
    this.#later(this.#policy.totalMillis, () =>
      this.#done({ fault: this.#attempts.size > 0 ? { _tag: "TimedOut" } : this.#last }),
    )
    this.#begin()
  }

  cancel(): void {
    this.#isDone = true
    for (const cancel of this.#cancels) cancel()
    for (const attempt of this.#attempts) this.#drop(attempt)
  }

  /** Asks the first endpoint; waits for one that is about to be verified. */
  #begin(): void {
    const { endpoints, probeSoon } = this.#failover
    const [first] = this.#candidates()
    if (first !== undefined) return this.#ask(first)
    // Those in use refuse the method.
    if (endpoints.usable().length > 0) this.#last = { _tag: "Forbidden", status: 403 }
    if (!endpoints.isAnyAboutToBeUsable()) return this.#done({ fault: this.#last })
    const stopWaiting = this.#later(VERIFICATION_MILLIS, () => this.#done({ fault: this.#last }))
    void endpoints.whenUsable().then(() => {
      stopWaiting()
      if (this.#isDone) return
      const [next] = this.#candidates()
      if (next === undefined) this.#done({ fault: this.#last })
      else this.#ask(next)
    })
    for (const endpoint of endpoints.all) if (!endpoint.health.isVerified) probeSoon(endpoint)
  }

  /** Endpoints that allow this method and have not been asked yet. */
  #candidates(): ReadonlyArray<Endpoint> {
    const { method } = this.#request
    return this.#failover.endpoints
      .usable()
      .filter((endpoint) => !this.#asked.has(endpoint) && !endpoint.refuses(method))
  }

  #ask(endpoint: Endpoint): void {
    const { method } = this.#request
    const controller = new AbortController()
    const { now } = this.#failover
    const attempt: Attempt = {
      endpoint,
      controller,
      startedAt: now(),
      moveOn: () => this.#settle(attempt, { fault: { _tag: "TooSlow" } }, false),
      order: this.#asked.size,
      sentAt: undefined,
      stopClock: () => {},
    }
    const onReady = () => {
      attempt.sentAt = now()
      this.#startClock(attempt, method)
    }
    this.#asked.add(endpoint)
    this.#attempts.add(attempt)
    endpoint.figures.calls++
    if (this.#policy.kind === "read") endpoint.waiting.add(attempt)
    void endpoint.ask(this.#request, controller.signal, onReady).then((outcome) => this.#settle(attempt, outcome))
    if (attempt.sentAt === undefined) this.#startClock(attempt, GENESIS.method)
  }

  /** Ends an attempt that takes too long for `method`, or for a connection, and asks another endpoint when it is late. */
  #startClock(attempt: Attempt, method: string): void {
    if (this.#isDone || !this.#attempts.has(attempt)) return
    attempt.stopClock()
    const timeOut = () => this.#settle(attempt, { fault: { _tag: "TimedOut" } })
    const cancels = [this.#later(this.#policy.deadlineMillis, timeOut)]
    if (this.#policy.kind === "read") {
      const hedge = () => {
        // Answers that came while this process was busy are read first.
        setImmediate(() => this.#hedge(attempt))
      }
      const usual = attempt.endpoint.hedgeMillis(method, this.#policy)
      // A new connection takes several round trips.
      const isConnecting = attempt.sentAt === undefined
      cancels.push(this.#later(isConnecting ? Math.max(usual, 3 * this.#policy.hedgeMillisMin) : usual, hedge))
    }
    attempt.stopClock = () => {
      for (const cancel of cancels) cancel()
    }
  }

  #hedge(late: Attempt): void {
    if (this.#isDone || !this.#attempts.has(late)) return
    this.#failover.probeSoon(late.endpoint)
    const [next] = this.#candidates()
    const isNewest = late.order === this.#asked.size - 1
    if (next === undefined || !isNewest || this.#failover.hedges < 1) return
    this.#failover.hedges--
    this.#ask(next)
  }

  /** `counts`: whether a fault is the endpoint's. */
  #settle(attempt: Attempt, { answer, fault, faultOn }: Outcome, counts = true): void {
    if (this.#isDone || !this.#attempts.delete(attempt)) return
    const { endpoints, now } = this.#failover
    const { endpoint, sentAt, startedAt } = attempt
    const { method } = this.#request
    this.#drop(attempt)
    if (fault === undefined) {
      endpoint.answered(method, now() - (sentAt ?? startedAt))
      const others = [...this.#attempts]
      this.#done({ answer })
      this.#judgeOthers(attempt, others)
      // Another endpoint served it, so the request was not the cause.
      for (const [suspect, itsFault] of this.#suspects) endpoints.failed(suspect, method, itsFault, true)
      return
    }
    this.#last = fault
    if (counts) endpoints.failed(endpoint, faultOn ?? method, fault)
    if (isSuspect(fault)) this.#suspects.set(endpoint, fault)
    if (this.#policy.kind === "once" || fault._tag === "Rejected") this.#done({ answer, fault })
    else this.#askNext(answer)
  }

  /** Those asked before the winner were too slow; those asked after it have done nothing wrong. */
  #judgeOthers(winner: Attempt, others: ReadonlyArray<Attempt>): void {
    for (const { endpoint, order } of others) {
      if (order > winner.order) {
        endpoint.figures.hedgesLost++
        continue
      }
      winner.endpoint.figures.hedgesWon++
      this.#failover.endpoints.failed(endpoint, this.#request.method, { _tag: "TooSlow" })
    }
  }

  #askNext(answer: unknown): void {
    if (this.#last._tag === "NotHere" && ++this.#notHere > 1) return this.#done({ answer, fault: this.#last })
    const [next] = this.#candidates()
    if (next !== undefined) return this.#ask(next)
    if (this.#attempts.size > 0) return
    if (this.#mayRetry()) return this.#retry()
    this.#done({ answer, fault: this.#last })
  }

  /** Retries a request that had only one endpoint, or whose connections broke. */
  #mayRetry(): boolean {
    // An endpoint that is asked again sends as much again.
    if (this.#isRetried || this.#last._tag === "Forbidden" || this.#last._tag === "TooLarge") return false
    if (this.#last._tag === "Disconnected") return true
    return this.#asked.size === 1 && (isSuspect(this.#last) || !isSoundAnswer(this.#last))
  }

  #retry(): void {
    this.#isRetried = true
    this.#later(RETRY_JITTER_MILLIS * (0.5 + this.#failover.random()), () => {
      this.#asked.clear()
      this.#begin()
    })
  }

  #done(outcome: Outcome): void {
    if (this.#isDone) return
    this.cancel()
    this.#finish(outcome)
  }

  #drop(attempt: Attempt): void {
    attempt.endpoint.waiting.delete(attempt)
    attempt.controller.abort()
  }

  /** Returns a function that cancels it. */
  #later(millis: number, then: () => void): () => void {
    const cancel = this.#failover.after(millis, () => {
      this.#cancels.delete(cancel)
      if (!this.#isDone) then()
    })
    this.#cancels.add(cancel)
    return cancel
  }
}
