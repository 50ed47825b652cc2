import { readFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
}

/** A prime: trades that follow each other are of rows far apart. */
const STRIDE = 181

/** A launch as the documents have it. */
const recorded = () => {
  const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"))
  const { examples } = paths["/api/launch/pools"].get.responses["200"].content["application/json"]
  return examples.recorded.value.data[0] as { readonly mintAddress: string; readonly market: object }
}

/** Milliseconds of the clock that pages on this machine have as well. */
const now = (): number => performance.timeOrigin + performance.now()

export interface PlayedRegistry {
  readonly url: string
  readonly mints: ReadonlyArray<string>
  /** Sends a trade that leaves this market cap; the time at which it was sent. */
  readonly trade: (mint: string, marketCap: string) => number
  /** Sends so many trades a second, one by one, evenly of these mints, until it is stopped. */
  readonly play: (mints: ReadonlyArray<string>, perSecond: number) => () => void
  readonly close: () => void
}

/** The launchpad beside a list of launches and a stream: what a page costs, without a service that costs beside it. */
export const playedRegistry = (files: ReadonlyMap<string, string>, launches: number): Promise<PlayedRegistry> => {
  const one = recorded()
  const data = Array.from({ length: launches }, (_, at) => ({
    ...one,
    ...{ mintAddress: `${one.mintAddress.slice(0, -3)}${100 + at}`, name: `Name ${at}`, symbol: `S${at}` },
    launchedAt: new Date(Date.now() - at * 60_000).toISOString(),
    market: { ...one.market, holders: { count: at } },
  }))
  const mints = data.map(({ mintAddress }) => mintAddress)
  const list = JSON.stringify({ success: true, data, pagination: { limit: launches, nextCursor: null } })
  const streams = new Set<ServerResponse>()
  let sent = 0
  const trade = (mintAddress: string, marketCap: string): number => {
    const price = (Number(marketCap) / 1e9).toFixed(18)
    const event = {
      ...{ type: "trade", slot: "1", signature: `signature${++sent}`, time: new Date().toISOString(), mintAddress },
      ...{ side: "BUY", venue: "dbc", baseAmount: "1", quoteAmount: "2", fee: "0", price, marketCap },
      ...{ quoteProgress: Math.random(), sqrtPrice: "18446744073709551616", quoteReserve: "1000000000" },
    }
    for (const stream of streams) stream.write(`id: ${sent}\nevent: trade\ndata: ${JSON.stringify(event)}\n\n`)
    return now()
  }
  const play = (among: ReadonlyArray<string>, perSecond: number) => {
    const beganAt = now()
    let played = 0
    const timer = setInterval(() => {
      for (; played < ((now() - beganAt) * perSecond) / 1_000; played++)
        trade(among[(played * STRIDE) % among.length]!, (28 + Math.random()).toFixed(18))
    }, 1)
    return () => clearInterval(timer)
  }
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://here")
    if (pathname === "/api/stream") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n")
      streams.add(response)
      return void response.on("close", () => streams.delete(response))
    }
    if (pathname === "/api/launch/pools")
      return void response.writeHead(200, { "content-type": "application/json" }).end(list)
    const file = files.get(pathname === "/" ? "index.html" : pathname.slice(1))
    response.writeHead(file === undefined ? 404 : 200, { "content-type": TYPES[extname(pathname)] ?? "text/html" })
    response.end(file)
  })
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      resolve({ url, mints, trade, play, close })
    })
  })
}
