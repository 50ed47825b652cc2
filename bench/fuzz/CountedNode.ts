import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** What keeps an endpoint in use, and is not of any request. */
const PROBES = new Set(["getLatestBlockhash", "getGenesisHash"])

/** A node on loopback in front of a chain: it passes calls on, and counts them by method. */
export class CountedNode {
  readonly #chainUrl: URL
  readonly #server: Server
  readonly #calls = new Map<string, number>()

  constructor(chainUrl: string) {
    this.#chainUrl = new URL(chainUrl)
    this.#server = createServer((inbound, response) => {
      const chunks: Array<Buffer> = []
      inbound.on("data", (chunk: Buffer) => chunks.push(chunk))
      inbound.on("end", () => {
        const body = Buffer.concat(chunks)
        this.#count(body)
        const { hostname, port } = this.#chainUrl
        const headers = { "content-type": "application/json", "content-length": body.length }
        const outbound = request({ hostname, port, method: "POST", headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
        outbound.on("error", () => response.destroy())
        outbound.end(body)
      })
    })
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Calls so far, without probes. */
  get calls(): number {
    return [...this.#calls].reduce((sum, [method, count]) => (PROBES.has(method) ? sum : sum + count), 0)
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #count(body: Buffer): void {
    const parsed = JSON.parse(body.toString()) as
      | { readonly method: string }
      | ReadonlyArray<{ readonly method: string }>
    for (const { method } of [parsed].flat()) this.#calls.set(method, (this.#calls.get(method) ?? 0) + 1)
  }
}
