import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * A stand-in RPC node in a process of its own: `StandInMain.ts <id> <port> <genesis hash>`. Answers after about
 * `SERVICE_MILLIS`; its parent tells it to misbehave, and gets its counts every tenth of a second.
 */
const [id = "1", port = "0", genesisHash = ""] = process.argv.slice(2)

export type Mode = "healthy" | "instant" | "slow" | "unavailable" | "rateLimited" | "stuck"
/** Messages from the process. */
export type StandInReport =
  | { readonly port: number }
  | { readonly calls: number; readonly probes: number; readonly lastCallAt: number }

const SERVICE_MILLIS = 4
const SLOW_MILLIS = 1_500
const SLOT_MILLIS = 400
const BLOCKHASH = "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ"
export const RETRY_AFTER_SECONDS = 8

/** The slot of the cluster, the same for all stand-ins and for whoever checks them. */
export const slotAt = (millis: number): number => Math.floor(millis / SLOT_MILLIS)

const main = () => {
  let mode: Mode = "healthy"
  let stuckAt = 0
  let [calls, probes, lastCallAt] = [0, 0, 0]

  const resultOf = (method: string): unknown => {
    const slot = mode === "stuck" ? stuckAt : slotAt(Date.now())
    if (method === "getGenesisHash") return genesisHash
    if (method === "getLatestBlockhash")
      return { context: { slot }, value: { blockhash: BLOCKHASH, lastValidBlockHeight: slot + 150 } }
    return method === "getHealth" ? "ok" : Number(id)
  }

  const answer = (response: ServerResponse, call: { readonly id: unknown; readonly method: string }) => {
    if (mode === "unavailable") return void response.writeHead(503).end("<html>unavailable</html>")
    if (mode === "rateLimited")
      return void response.writeHead(429, { "retry-after": String(RETRY_AFTER_SECONDS) }).end()
    const reply = () => response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: resultOf(call.method) }))
    if (mode === "instant") return void reply()
    setTimeout(reply, (mode === "slow" ? SLOW_MILLIS : 0) + SERVICE_MILLIS * (0.5 + Math.random()))
  }

  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk) => (text += chunk))
    request.on("end", () => {
      const call = JSON.parse(text)
      if (String(call.id).startsWith("probe-")) probes++
      else {
        calls++
        lastCallAt = Date.now()
      }
      answer(response, call)
    })
  })
  server.listen(Number(port), "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }))
  setInterval(() => process.send?.({ calls, probes, lastCallAt }), 100)
  process.on("message", (next: Mode) => {
    mode = next
    stuckAt = slotAt(Date.now())
  })
  process.on("disconnect", () => process.exit())
}

if (import.meta.main) main()
