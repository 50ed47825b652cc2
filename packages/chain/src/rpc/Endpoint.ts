import { parseJsonWithBigInts } from "@solana/rpc-spec-types"
import type { Redacted } from "effect"
import { EndpointFigures } from "./EndpointFigures.ts"
import { EndpointHealth } from "./EndpointHealth.ts"
import { faultOfAnswer, faultOfThrown } from "./FaultOfAnswer.ts"
import { HttpConnection, type Loss } from "./HttpConnection.ts"
import { LatencyWindow } from "./LatencyWindow.ts"
import type { MethodPolicy } from "./MethodPolicy.ts"
import { isSoundResult } from "./results/ResultChecks.ts"
import type { RpcFault } from "./RpcError.ts"

const REFUSAL_MILLIS = 600_000

/** A JSON-RPC request, serialised once for however many endpoints it goes to. */
export interface RpcRequest {
  readonly method: string
  readonly id: unknown
  readonly params: ReadonlyArray<unknown>
  readonly body: string
}

/** A JSON-RPC answer with its big integers kept, or what was wrong. A rejected request has both. */
export interface Outcome {
  readonly answer?: unknown
  readonly fault?: RpcFault
}

/** A call that waits for this endpoint and could go on to another one. */
export interface WaitingCall {
  readonly startedAt: number
  /** Gives up waiting here. */
  readonly moveOn: () => void
}

/** What was last seen of the chain at an endpoint, at a monotonic time in milliseconds. */
export interface SlotSeen {
  readonly slot: bigint
  readonly seenAt: number
}

/** One RPC endpoint: its connection, its health, and what has been counted and learned. */
export class Endpoint {
  readonly name: string
  readonly health = new EndpointHealth()
  readonly figures = new EndpointFigures()
  readonly waiting = new Set<WaitingCall>()
  /** Methods that this endpoint does not let us use, and until when that is believed. */
  readonly #refusedUntil = new Map<string, number>()
  lastSlot: SlotSeen | undefined
  genesisHash: string | undefined
  /** `atMillis` counts from 1970. */
  lastFault: { readonly fault: RpcFault; readonly method: string; readonly atMillis: number } | undefined
  readonly #windows = new Map<string, LatencyWindow>()
  readonly #connection: HttpConnection
  readonly #now: () => number
  readonly #timeMillis: () => number

  constructor(options: {
    readonly name: string
    readonly url: Redacted.Redacted
    /** Monotonic milliseconds. */
    readonly now: () => number
    /** Milliseconds since 1970. */
    readonly timeMillis: () => number
    /** The last connection is gone; whoever answers next may be another machine. */
    readonly onLost: (endpoint: Endpoint, loss: Loss) => void
  }) {
    this.name = options.name
    this.#now = options.now
    this.#timeMillis = options.timeMillis
    this.#connection = new HttpConnection(options.url, (loss) => options.onLost(this, loss))
  }

  /** Sends the request and classifies what comes back. Never rejects; says nothing to the health. */
  async ask({ body, id, method, params }: RpcRequest, signal: AbortSignal): Promise<Outcome> {
    try {
      const { retryAfter, status, text } = await this.#connection.post(body, signal)
      const answer = parsed(text)
      const fault = faultOfAnswer({ status, retryAfter, body: answer }, this.#timeMillis())
      if (fault !== undefined) return { answer, fault }
      // A proxy that mixes up answers must not make us take one account for another.
      const { id: answered, result } = answer as { readonly id?: unknown; readonly result: unknown }
      if (answered !== id) return { fault: { _tag: "BadAnswer" } }
      return isSoundResult(method, params, result) ? { answer } : { fault: { _tag: "Malformed" } }
    } catch (error) {
      return { fault: faultOfThrown(error) }
    }
  }

  /** Time after which a call of this method is late here. */
  hedgeMillis(method: string, policy: MethodPolicy): number {
    return this.#window(method).hedgeMillis(policy)
  }

  /** A call was answered with a result. */
  answered(method: string, latencyMillis: number): void {
    this.figures.answered(latencyMillis)
    this.#window(method).add(latencyMillis)
    this.health.answered(this.#now())
  }

  /** The endpoint does not let us use a method. Plans change, so that is forgotten after a while. */
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
    return this.#connection.close()
  }

  #window(method: string): LatencyWindow {
    let window = this.#windows.get(method)
    if (window === undefined) this.#windows.set(method, (window = new LatencyWindow()))
    return window
  }
}

/** A body that is no JSON is as good as none. */
const parsed = (text: string): unknown => {
  try {
    return parseJsonWithBigInts(text)
  } catch {
    return undefined
  }
}
