import { Agent, request } from "node:http"
import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { tokenDraft, transactionDraft } from "../Samples.ts"

/** What is asked in turn: path, and body and table of a write. */
const REQUESTS: ReadonlyArray<() => readonly [path: string, body?: object]> = [
  () => ["/api/tokens?limit=20"],
  () => ["/api/tokens", tokenDraft()],
  () => ["/api/transactions?limit=20"],
  () => ["/api/transactions", transactionDraft()],
  () => ["/api/tokens/popular"],
]

/**
 * Far below the time after which the server closes an idle connection. The agent's own timer is late when this process was stopped
 * for a while, and a request would meet the close.
 */
const IDLE_MILLIS_MAX = 3_000

/**
 * Workers that ask without end, over connections that are kept alive. Nothing is tried twice: what is no success, or is cut
 * off, has failed.
 */
export class SteadyClient {
  requests = 0
  writes = 0
  readonly failures = new Map<string, number>()
  readonly #agent: Agent
  readonly #idleSince = new WeakMap<Socket, number>()
  readonly #port: number
  readonly #pauseMillis: number
  #workers: ReadonlyArray<Promise<void>> = []
  #isStopped = false

  constructor(port: number, { pauseMillis, workers }: { readonly pauseMillis: number; readonly workers: number }) {
    this.#port = port
    this.#pauseMillis = pauseMillis
    this.#agent = new Agent({ keepAlive: true, maxSockets: workers })
    this.#agent.on("free", (socket: Socket) => this.#idleSince.set(socket, performance.now()))
    this.#workers = Array.from({ length: workers }, (_, index) => this.#work(index))
  }

  /** Resolves after so many more requests. */
  async more(count: number): Promise<void> {
    for (const until = this.requests + count; this.requests < until;) await sleep(5)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#workers)
    this.#agent.destroy()
  }

  async #work(index: number): Promise<void> {
    for (let turn = index; !this.#isStopped; turn++) {
      const [path, body] = REQUESTS[turn % REQUESTS.length]!()
      const outcome = await this.#ask(path, body)
      this.requests++
      if (outcome !== (body === undefined ? "200" : "201")) {
        const failure = `${body === undefined ? "GET" : "POST"} ${path}: ${outcome}`
        this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1)
      } else if (body !== undefined) this.writes++
      if (this.#pauseMillis > 0) await sleep(this.#pauseMillis)
    }
  }

  #dropIdle(): void {
    const since = performance.now() - IDLE_MILLIS_MAX
    for (const socket of Object.values(this.#agent.freeSockets).flatMap((sockets) => sockets ?? []))
      if (this.#idleSince.get(socket)! < since) socket.destroy()
  }

  /** The status, or what went wrong. */
  #ask(path: string, body: object | undefined): Promise<string> {
    this.#dropIdle()
    return new Promise((resolve) => {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const asked = request(
        {
          ...{ host: "127.0.0.1", port: this.#port, agent: this.#agent, path },
          method: sent === undefined ? "GET" : "POST",
          headers: sent === undefined ? {} : { "content-type": "application/json", "content-length": sent.length },
        },
        (response) => {
          response.resume()
          response.once("end", () => resolve(String(response.statusCode)))
          response.once("error", (error) => resolve(`cut off: ${error.message}`))
        },
      )
      asked.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      asked.end(sent)
    })
  }
}
