import { Deferred, Effect } from "effect"
import type { ChainHead, LatestBlockhash } from "./ChainHead.ts"
import type { Endpoint, Outcome, RpcRequest } from "./Endpoint.ts"
import type { Endpoints } from "./Endpoints.ts"
import { probeRequest } from "./ProbeRequest.ts"
import type { RpcFault } from "./RpcError.ts"

const DEADLINE_MILLIS = 1_000
/** While probes fail, while an endpoint is on its way back, and while nothing serves. */
const URGENT_MILLIS = 100
const HALF_OPEN_MILLIS = 600
const OUTAGE_MILLIS = 500
/** An endpoint of another cluster is asked this often whether it has been put right. */
const WRONG_CLUSTER_MILLIS = 3_000
/** After this long without a call, probes become rare: they cost credits. */
const IDLE_AFTER_MILLIS = 60_000
const IDLE_MILLIS = 30_000

/** One request tells that the node answers, how far it is, and a blockhash to build on. */
const HEAD = probeRequest("getLatestBlockhash", [{ commitment: "confirmed" }])

/** Faults that mean that nothing came back at all. A connection that broke is tried once more first. */
const SILENCE: ReadonlySet<string> = new Set<RpcFault["_tag"]>(["TimedOut", "Unreachable"])

interface HeadResult {
  readonly context: { readonly slot?: unknown } | null
  readonly value: { readonly blockhash?: unknown; readonly lastValidBlockHeight?: unknown } | null
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

/** Probes one endpoint for as long as the layer lives: one probe at a time, whoever asks for it. */
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
    // Whatever an endpoint answers, it goes on being probed.
    const probe = Effect.catchDefect(this.#probe(), () =>
      Effect.sync(() => this.#failed({ _tag: "BadAnswer" }, this.#options.now(), this.#options.now())),
    )
    return Effect.forever(Effect.andThen(probe, this.#rest()))
  }

  #probe(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const startedAt = this.#options.now()
      this.#wake = Deferred.makeUnsafe()
      const outcome = yield* this.#ask(HEAD)
      const now = this.#options.now()
      const fault = this.#seeHead(outcome, startedAt, now)
      if (fault !== undefined) this.#failed(fault, startedAt, now)
      this.#options.endpoints.review(this.#endpoint)
    })
  }

  #ask(request: RpcRequest): Effect.Effect<Outcome> {
    return Effect.suspend(() => {
      this.#endpoint.figures.probes++
      return Effect.promise((signal) => this.#endpoint.ask(request, signal))
    }).pipe(
      Effect.timeoutOrElse({
        duration: DEADLINE_MILLIS,
        orElse: () => Effect.succeed<Outcome>({ fault: { _tag: "TimedOut" } }),
      }),
    )
  }

  #seeHead({ answer, fault }: Outcome, startedAt: number, now: number): RpcFault | undefined {
    if (fault !== undefined) return fault
    const latest = latestBlockhash((answer as { readonly result: unknown }).result)
    if (latest === undefined) return { _tag: "BadAnswer" }
    const { endpoints, head } = this.#options
    // It came over a connection on which the right genesis hash was seen.
    this.#endpoint.health.verify(true)
    const isBelieved = endpoints.slots.see(this.#endpoint, latest.slot)
    const { maxSlotLag } = endpoints
    const slotLag = Number(endpoints.slots.lagOf(latest.slot))
    const isCovered = endpoints.isOtherUsable(this.#endpoint)
    this.#endpoint.health.probeSucceeded({ now, latencyMillis: now - startedAt, slotLag, maxSlotLag, isCovered })
    if (isBelieved && slotLag <= maxSlotLag) head.see(latest, now)
    return undefined
  }

  #failed(fault: RpcFault, startedAt: number, now: number): void {
    const { health, waiting } = this.#endpoint
    // Of another cluster, which has had its consequences, or not decided yet whether it is.
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
      // Another key means another start.
      if (this.#isRefused) return yield* Effect.never
      const now = this.#options.now()
      const { health } = this.#endpoint
      if (now < health.pausedUntil) return yield* Effect.sleep(health.pausedUntil - now)
      yield* Effect.sleep(URGENT_MILLIS)
      yield* Effect.raceFirst(
        Effect.sleep(Math.max(0, this.#restMillis(now) - URGENT_MILLIS)),
        Deferred.await(this.#wake),
      )
      // A pause can have been asked for in the meantime.
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

/** The result of `getLatestBlockhash`, if it is one. */
const latestBlockhash = (result: unknown): LatestBlockhash | undefined => {
  const { context, value } = (result ?? {}) as Partial<HeadResult>
  const [slot, lastValidBlockHeight] = [integer(context?.slot), integer(value?.lastValidBlockHeight)]
  if (slot === undefined || lastValidBlockHeight === undefined || typeof value?.blockhash !== "string") return undefined
  return { slot, lastValidBlockHeight, blockhash: value.blockhash }
}

const integer = (value: unknown): bigint | undefined =>
  typeof value === "bigint" || Number.isSafeInteger(value) ? BigInt(value as bigint | number) : undefined
