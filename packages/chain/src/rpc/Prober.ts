import { Deferred, Effect, Option } from "effect"
import type { ChainHead } from "./ChainHead.ts"
import type { Endpoint, Outcome, RpcRequest } from "./Endpoint.ts"
import { SLOT_LAG_MAX } from "./EndpointHealth.ts"
import type { Endpoints } from "./Endpoints.ts"
import { probeRequest } from "./ProbeRequest.ts"
import type { RpcFault } from "./RpcError.ts"

/** For the connection, and for the answer. */
const DEADLINE_MILLIS = 1_000
/** Interval while probes fail, while an endpoint is recovering, and while no endpoint serves. */
const URGENT_MILLIS = 100
const HALF_OPEN_MILLIS = 600
const OUTAGE_MILLIS = 500
/** Interval while an endpoint is of another cluster. */
const WRONG_CLUSTER_MILLIS = 5_000
/** After this long without a call, probes become rare: they cost credits. */
const IDLE_AFTER_MILLIS = 60_000
const IDLE_MILLIS = 30_000

/** One request shows that the node answers, its slot, and a blockhash to build on. */
const HEAD = probeRequest("getLatestBlockhash", [{ commitment: "confirmed" }])

/** Faults without any answer. A broken connection is retried once first. */
const SILENCE: ReadonlySet<string> = new Set<RpcFault["_tag"]>(["TimedOut", "Unreachable"])

/** An answer whose result was checked. */
interface HeadAnswer {
  readonly result: {
    readonly context: { readonly slot: number }
    readonly value: { readonly blockhash: string; readonly lastValidBlockHeight: number }
  }
}

export interface ProberOptions {
  readonly endpoints: Endpoints
  readonly head: ChainHead
  readonly probeMillis: number
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** When the last call was made. */
  readonly lastCallAt: () => number
}

/** Probes one endpoint for the lifetime of the layer, one probe at a time. */
export class Prober {
  readonly #options: ProberOptions
  readonly #endpoint: Endpoint
  #wake: Deferred.Deferred<void> = Deferred.makeUnsafe()
  #isRefused = false

  constructor(endpoint: Endpoint, options: ProberOptions) {
    this.#endpoint = endpoint
    this.#options = options
  }

  /** Ends the wait for the next probe. */
  probeSoon(): void {
    Deferred.doneUnsafe(this.#wake, Effect.void)
  }

  get run(): Effect.Effect<never> {
    // Probing continues whatever an endpoint answers.
    const probe = Effect.catchDefect(this.#probe(), () =>
      Effect.sync(() => this.#failed({ _tag: "BadAnswer" }, this.#options.now(), this.#options.now())),
    )
    return Effect.forever(Effect.andThen(probe, this.#rest()))
  }

  #probe(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const startedAt = this.#options.now()
      const { timesDisowned } = this.#endpoint
      this.#wake = Deferred.makeUnsafe()
      const { answer, fault, sentAt } = yield* this.#ask(HEAD)
      const now = this.#options.now()
      // Another connection has led to another cluster meanwhile.
      if (this.#endpoint.timesDisowned !== timesDisowned) return
      if (fault === undefined) this.#seeHead(answer as HeadAnswer, sentAt ?? startedAt, now)
      else this.#failed(fault, startedAt, now)
      this.#options.endpoints.review(this.#endpoint)
    })
  }

  #ask(request: RpcRequest): Effect.Effect<Outcome & { readonly sentAt: number | undefined }> {
    return Effect.suspend(() => {
      this.#endpoint.figures.probes++
      let sentAt: number | undefined
      const sent = Deferred.makeUnsafe<void>()
      const onReady = () => {
        sentAt = this.#options.now()
        Deferred.doneUnsafe(sent, Effect.void)
      }
      const answered = Effect.promise((signal) => this.#endpoint.ask(request, signal, onReady))
      const late = Deferred.await(sent).pipe(
        Effect.timeoutOption(DEADLINE_MILLIS),
        Effect.flatMap((isSent) => (Option.isSome(isSent) ? Effect.sleep(DEADLINE_MILLIS) : Effect.void)),
        Effect.as<Outcome>({ fault: { _tag: "TimedOut" } }),
      )
      return Effect.map(Effect.raceFirst(answered, late), (outcome) => ({ ...outcome, sentAt }))
    })
  }

  #seeHead({ result: { context, value } }: HeadAnswer, sentAt: number, now: number): void {
    const { blockhash, lastValidBlockHeight } = value
    const latest = { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight), slot: BigInt(context.slot) }
    const { endpoints, head } = this.#options
    // It came over a connection on which the right genesis hash was seen.
    this.#endpoint.health.verify(true)
    const isBelieved = endpoints.slots.see(this.#endpoint, latest.slot)
    const slotLag = Number(endpoints.slots.lagOf(latest.slot))
    const isCovered = endpoints.isOtherUsable(this.#endpoint)
    this.#endpoint.health.probeSucceeded({ now, latencyMillis: now - sentAt, slotLag, isCovered })
    // A blockhash of a cordoned endpoint would be used like the answer to a call.
    if (isBelieved && slotLag <= SLOT_LAG_MAX && !endpoints.isCordoned(this.#endpoint)) head.see(latest, now)
  }

  #failed(fault: RpcFault, startedAt: number, now: number): void {
    const { health, waiting } = this.#endpoint
    // Either of another cluster, which is already handled, or its cluster is still undecided.
    if (fault._tag === "WrongCluster" || fault._tag === "NoEndpoint") return
    this.#endpoint.note(fault, "probe")
    if (fault._tag === "RateLimited") return health.pause(now, fault.retryAfterMillis)
    if (fault._tag === "Forbidden") {
      this.#isRefused = true
      return health.forbid()
    }
    if (fault._tag === "Behind") return health.fellBehind()
    const isAwaited = [...waiting].some((call) => call.startedAt < startedAt)
    const canLeave = isAwaited || this.#options.endpoints.isOtherUsable(this.#endpoint)
    health.probeFailed({ now, startedAt, isSilence: SILENCE.has(fault._tag), canLeave })
  }

  #rest(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      // A different key needs a restart.
      if (this.#isRefused) return yield* Effect.never
      const now = this.#options.now()
      const { health } = this.#endpoint
      if (now < health.pausedUntil) return yield* Effect.sleep(health.pausedUntil - now)
      yield* Effect.sleep(URGENT_MILLIS)
      yield* Effect.raceFirst(
        Effect.sleep(Math.max(0, this.#restMillis(now) - URGENT_MILLIS)),
        Deferred.await(this.#wake),
      )
      // A 429 may have paused the endpoint in the meantime.
      const later = this.#options.now()
      if (later < health.pausedUntil) yield* Effect.sleep(health.pausedUntil - later)
    })
  }

  #restMillis(now: number): number {
    const { endpoints, lastCallAt, probeMillis } = this.#options
    const { health } = this.#endpoint
    const state = health.stateAt(now)
    const isIdle = now - lastCallAt() >= IDLE_AFTER_MILLIS
    if (state === "wrong_cluster") return isIdle ? IDLE_MILLIS : WRONG_CLUSTER_MILLIS
    if (state === "open") {
      if (endpoints.usable().length === 0) return OUTAGE_MILLIS
      return Math.max(health.openUntil - now, health.isHalfOpen ? HALF_OPEN_MILLIS : probeMillis)
    }
    if (health.probesFailedInRow > 0 || state === "unverified") return URGENT_MILLIS
    if (!isIdle) return probeMillis
    health.rest()
    return IDLE_MILLIS
  }
}
