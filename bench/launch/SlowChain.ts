import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A proxy to a chain that adds latency and counts requests. */
export interface SlowChain {
  readonly url: string
  /** Requests since the last call, without probes of the failover. */
  readonly taken: () => number
  readonly close: () => void
}

/** Forwards JSON-RPC to a chain; every answer takes `latencyMillis` longer. */
export const slowChain = (chainUrl: string, latencyMillis: number): Promise<SlowChain> =>
  new Promise((resolve) => {
    let requests = 0
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => (body += chunk))
      request.on("end", () => {
        if (!body.includes('"probe-')) requests++
        const init = { method: "POST", headers: { "content-type": "application/json" }, body }
        void fetch(chainUrl, init).then(async (answer) => {
          const text = await answer.text()
          setTimeout(() => response.setHeader("content-type", "application/json").end(text), latencyMillis)
        })
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      const taken = () => {
        const count = requests
        requests = 0
        return count
      }
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resolve({ url: `http://127.0.0.1:${port}`, taken, close })
    })
  })
