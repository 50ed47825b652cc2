import type { Redacted } from "effect"
import type { BeginAttempt } from "./CallSpan.ts"
import { EndpointFigures } from "./EndpointFigures.ts"
import { EndpointHealth } from "./EndpointHealth.ts"
import { faultOfAnswer, faultOfThrown } from "./FaultOfAnswer.ts"
import { GENESIS } from "./ProbeRequest.ts"
import type { HttpReply, RequestHeaders } from "./HttpTarget.ts"
import { parseLossless } from "./LosslessJson.ts"
import { answerBytesMax, isSoundResult, type MethodPolicy, policyOf } from "./Methods.ts"
import type { RpcFault } from "./RpcError.ts"
import { VerifiedConnections } from "./VerifiedConnections.ts"

const REFUSAL_MILLIS = 600_000
/** Faults of a genesis hash request that leave the node's chain unknown. */
const NO_GENESIS_HASH: ReadonlySet<RpcFault["_tag"]> = new Set<RpcFault["_tag"]>(["Rejected", "NotHere", "Malformed"])

/** A JSON-RPC request, serialised once for however many endpoints it goes to. */
export interface RpcRequest {
  readonly method: string
  readonly id: unknown
  readonly params: ReadonlyArray<unknown>
  readonly body: string
  /** Absent unless the call is traced. */
  readonly beginAttempt?: BeginAttempt | undefined
}

/** A JSON-RPC answer with whole numbers exact, or the fault. A rejected request has both. */
export interface Outcome {
  readonly answer?: unknown
  readonly fault?: RpcFault
  /** The request that the fault answers, when the call itself was not sent. */
  readonly faultOn?: string
}

/** The connection may not be used, because its first request (the genesis hash) failed. */
class NotVerified extends Error {
  override readonly name = "NotVerified"
  readonly fault: RpcFault

  constructor(fault: RpcFault) {
    super()
    this.fault = fault
  }
}

/** A call that waits for this endpoint and could go on to another one. */
export interface WaitingCall {
  readonly startedAt: number
  /** Gives up waiting here. */
  readonly moveOn: () => void
}

/** The chain as an endpoint last showed it, with a monotonic time in milliseconds. */
export interface SlotSeen {
  readonly slot: bigint
  readonly seenAt: number
  /** When it was last another one than before. */
  readonly changedAt: number
  /** When it was last higher than before. */
  readonly advancedAt: number | undefined
  /** Since when its slots are not taken for the chain's; undefined while they are. */
  readonly doubtedAt: number | undefined
}

/** Why operators have taken an endpoint out of use, and when. */
export interface Cordon {
  readonly reason: string
  readonly since: Date
}

/** One RPC endpoint: its connections, its health, and what has been counted and learned. */
export class Endpoint {
  readonly name: string
  readonly health = new EndpointHealth()
  readonly figures = new EndpointFigures()
  readonly waiting = new Set<WaitingCall>()
  /** Methods that this endpoint refuses, each with the time at which it is tried again. */
  readonly #refusedUntil = new Map<string, number>()
  lastSlot: SlotSeen | undefined
  timesDisowned = 0
  /** Set while operators want no calls to go here. */
  cordon: Cordon | undefined
  genesisHash: string | undefined
  /** `atMillis` counts from 1970. */
  lastFault: { readonly fault: RpcFault; readonly method: string; readonly atMillis: number } | undefined
  /** By method, in milliseconds: the mean of recent latencies, and their mean deviation from it. */
  readonly #latencies = new Map<string, readonly [mean: number, deviation: number]>()
  readonly #connections: VerifiedConnections
  readonly #admit: (genesisHash: string) => RpcFault | undefined
  readonly #now: () => number
  readonly #timeMillis: () => number

  constructor(options: {
    readonly name: string
    readonly url: Redacted.Redacted
    /** Monotonic milliseconds. */
    readonly now: () => number
    /** Milliseconds since 1970. */
    readonly timeMillis: () => number
    /** Why an endpoint with this genesis hash may not be used; `undefined` when it may. */
    readonly admit: (endpoint: Endpoint, genesisHash: string) => RpcFault | undefined
  }) {
    this.name = options.name
    this.#now = options.now
    this.#timeMillis = options.timeMillis
    this.#admit = (genesisHash) => options.admit(this, genesisHash)
    this.#connections = new VerifiedConnections({
      url: options.url,
      now: options.now,
      verify: async (post) => {
        this.figures.probes++
        const startedAt = options.now()
        const reply = await post({ body: GENESIS.body, bytesMax: answerBytesMax(GENESIS.method) })
        this.#learn(GENESIS.method, options.now() - startedAt)
        this.#verify(reply, parsed(reply.text))
      },
    })
  }

  /**
   * Sends the request and classifies what comes back. Never rejects; does not affect the health. `onReady` is called
   * when the request is sent, possibly more than once; before that, a connection is opened or verified.
   */
  async ask(request: RpcRequest, signal: AbortSignal, onReady: () => void): Promise<Outcome> {
    if (request.beginAttempt === undefined) return this.#ask(request, signal, onReady)
    const attempt = request.beginAttempt(request.method, this.name)
    const outcome = await this.#ask(request, signal, onReady, attempt.headers)
    // One that was given up is cut off, which says nothing of the endpoint.
    attempt.end(outcome.fault, signal.aborted)
    return outcome
  }

  async #ask(
    request: RpcRequest,
    signal: AbortSignal,
    onReady: () => void,
    headers?: RequestHeaders,
  ): Promise<Outcome> {
    try {
      const { body, method } = request
      const posted = { body, bytesMax: answerBytesMax(method), ...(headers && { headers }) }
      const reply = await this.#connections.post(posted, signal, onReady)
      return this.#outcomeOf(reply, parsed(reply.text), request)
    } catch (error) {
      return outcomeOfThrown(error)
    }
  }

  /** The endpoint belongs to another cluster: its requests in flight fail and its slots are dropped. */
  disown(fault: RpcFault): void {
    this.lastSlot = undefined
    this.timesDisowned++
    this.health.verify(false)
    void this.#connections.end(new NotVerified(fault))
  }

  /** Time after which a call of this method is late here: twice the mean, and more where latencies vary; three times the least at first. */
  hedgeMillis(method: string, { hedgeMillisMax, hedgeMillisMin }: MethodPolicy): number {
    const [mean, deviation] = this.#latencies.get(method) ?? [hedgeMillisMin, hedgeMillisMin / 4]
    return Math.min(Math.max(2 * mean + 4 * deviation, hedgeMillisMin), hedgeMillisMax)
  }

  /** A call was answered with a result. */
  answered(method: string, latencyMillis: number): void {
    this.figures.answered(latencyMillis)
    this.#learn(method, latencyMillis)
    this.health.answered(this.#now())
  }

  /** The endpoint refuses a method. Forgotten after a while, because plans change. */
  refuse(method: string): void {
    this.#refusedUntil.set(method, this.#now() + REFUSAL_MILLIS)
  }

  refuses(method: string): boolean {
    const until = this.#refusedUntil.get(method)
    return until !== undefined && this.#now() < until
  }

  get refusedMethods(): ReadonlyArray<string> {
    return [...this.#refusedUntil.keys()].filter((method) => this.refuses(method))
  }

  /** A call, or a probe, had this fault: counts it and remembers it as the last one. */
  note(fault: RpcFault, method: string): void {
    this.figures.error(fault._tag)
    this.lastFault = { fault, method, atMillis: this.#timeMillis() }
  }

  close(): Promise<void> {
    return this.#connections.end(new NotVerified({ _tag: "NoEndpoint" }))
  }

  #outcomeOf({ retryAfter, status }: HttpReply, answer: unknown, { id, method, params }: RpcRequest): Outcome {
    const fault = faultOfAnswer({ status, retryAfter, body: answer }, this.#timeMillis())
    if (fault !== undefined) return { answer, fault }
    // A proxy that mixes up answers must not make us take one account for another.
    const { id: answered, result } = answer as { readonly id?: unknown; readonly result: unknown }
    if (answered !== id) return { fault: { _tag: "BadAnswer" } }
    return isSoundResult(method, params, result) ? { answer } : { fault: { _tag: "Malformed" } }
  }

  /** Throws unless the answer proves the cluster of the connection. */
  #verify(reply: HttpReply, genesis: unknown): void {
    const { fault } = this.#outcomeOf(reply, genesis, GENESIS)
    // A rejected genesis hash request says nothing about the call that waits for the connection.
    if (fault !== undefined) throw new NotVerified(NO_GENESIS_HASH.has(fault._tag) ? { _tag: "BadAnswer" } : fault)
    const refusal = this.#admit((genesis as { readonly result: string }).result)
    if (refusal !== undefined) throw new NotVerified(refusal)
  }

  #learn(method: string, latencyMillis: number): void {
    const { hedgeMillisMin: least } = policyOf(method)
    const [mean, deviation] = this.#latencies.get(method) ?? [least, least / 4]
    const error = latencyMillis - mean
    this.#latencies.set(method, [mean + error / 8, deviation + (Math.abs(error) - deviation) / 4])
  }
}

const outcomeOfThrown = (error: unknown): Outcome =>
  error instanceof NotVerified ? { fault: error.fault, faultOn: GENESIS.method } : { fault: faultOfThrown(error) }

/** A body that is not JSON counts as no body. */
const parsed = (text: string): unknown => {
  try {
    return parseLossless(text)
  } catch {
    return undefined
  }
}
