import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Redacted } from "effect"
import type { PriceOptions } from "../../src/prices/PriceSource.ts"

const API_KEY = "CANARY-prices"

/** Something instead of an answer with prices. */
export type Fault = (response: ServerResponse) => void

/** A source of prices on loopback that answers as Jupiter's Price API v3 does, checks what it is asked, and can fail. */
export class PriceStandIn {
  /** `usdPrice` by mint; any JSON value. */
  readonly prices = new Map<string, unknown>()
  /** Mints of each request. */
  readonly asked: Array<ReadonlyArray<string>> = []
  fault: Fault | undefined
  readonly #server = createServer((request, response) => {
    const url = new URL(request.url!, "http://localhost")
    const ids = url.searchParams.get("ids")?.split(",") ?? []
    this.asked.push(ids)
    if (this.fault !== undefined) return this.fault(response)
    const isSound =
      request.method === "GET" && url.pathname === "/price/v3" && url.searchParams.get("token") === "CANARY-url"
    if (!isSound || request.headers["x-api-key"] !== API_KEY || ids.length > 50)
      return void response.writeHead(400).end(`{"error":"unexpected request"}`)
    const known = ids.flatMap((mint) =>
      this.prices.has(mint) ? [[mint, { usdPrice: this.prices.get(mint), decimals: 9, blockId: 1 }]] : [],
    )
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(Object.fromEntries(known)))
  })

  /** For as long as the scope lasts. */
  static readonly make = Effect.acquireRelease(
    Effect.promise(async () => {
      const standIn = new PriceStandIn()
      await new Promise<void>((resolve) => standIn.#server.listen(0, "127.0.0.1", resolve))
      return standIn
    }),
    (standIn) =>
      Effect.promise(async () => {
        standIn.#server.closeAllConnections()
        await new Promise((resolve) => standIn.#server.close(resolve))
      }),
  )

  get options(): PriceOptions {
    const { port } = this.#server.address() as AddressInfo
    return {
      url: Redacted.make(`http://127.0.0.1:${port}/price/v3?token=CANARY-url`),
      apiKey: Redacted.make(API_KEY),
    }
  }
}
