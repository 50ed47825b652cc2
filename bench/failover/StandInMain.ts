import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, Server, type Socket } from "node:net"

/**
 * A stand-in RPC node in a process of its own: `StandInMain.ts <id> <genesis hash> <slots ahead>`. Listens at the port
 * that its parent names, and answers after about `SERVICE_MILLIS`; its parent controls its faults, and gets its counts every
 * tenth of a second.
 */
const [id = "1", genesisHash = "", ahead = "0"] = process.argv.slice(2)

export type Mode = "healthy" | "instant" | "slow" | "unavailable" | "rateLimited" | "stuck" | "leaving"
/** Messages to the process. */
export type StandInOrder = { readonly listenAt: number } | Mode
/** Messages from the process. */
export type StandInReport =
  | "ready"
  | "left"
  | { readonly port: number }
  | { readonly calls: number; readonly probes: number; readonly lastCallAt: number }

const SERVICE_MILLIS = 4
const SLOW_MILLIS = 1_500
/** As on mainnet in November 2026. */
export const SLOT_MILLIS = 250
const BLOCKHASH = "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ"
export const RETRY_AFTER_SECONDS = 8
/** Between two connections that a stopping node closes. */
const LEAVING_MILLIS = 40
const LISTEN_AGAIN_MILLIS = 2

/** Long enough ago for plausible slots. */
const SLOTS_SINCE = Date.UTC(2026, 0, 1)

/** The slot of the cluster, the same for all stand-ins and their checks. */
export const slotAt = (millis: number): number => Math.floor((millis - SLOTS_SINCE) / SLOT_MILLIS)

const main = () => {
  let mode: Mode = "healthy"
  let stuckAt = 0
  let [calls, probes, lastCallAt] = [0, 0, 0]

  const resultOf = (method: string): unknown => {
    const slot = mode === "stuck" ? stuckAt : slotAt(Date.now()) + Number(ahead)
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

  const sockets = new Map<Socket, { isBusy: boolean; isLast: boolean }>()
  const server = createServer((request, response) => {
    let text = ""
    const socket = sockets.get(request.socket)!
    socket.isBusy = true
    if (socket.isLast) response.setHeader("connection", "close")
    response.on("finish", () => (socket.isBusy = false))
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
  server.on("connection", (socket) => {
    sockets.set(socket, { isBusy: false, isLast: false })
    socket.on("close", () => sockets.delete(socket))
  })
  /** Accepts no more connections and closes existing ones one by one, none of them within an answer. */
  const leave = () => {
    // The server's own method would close all idle connections at once.
    Server.prototype.close.call(server)
    process.send?.("left")
    setInterval(() => {
      const next = [...sockets].find(([, { isLast }]) => !isLast)
      if (next === undefined) return
      const [socket, state] = next
      state.isLast = true
      if (!state.isBusy) socket.end()
    }, LEAVING_MILLIS)
  }
  const listen = (port: number) => server.listen(port, "127.0.0.1")
  server.on("listening", () => process.send?.({ port: (server.address() as AddressInfo).port }))
  setInterval(() => process.send?.({ calls, probes, lastCallAt }), 100)
  process.on("message", (order: StandInOrder) => {
    if (typeof order === "object") {
      // The process that listened there may only just have ended.
      server.on("error", () => setTimeout(() => listen(order.listenAt), LISTEN_AGAIN_MILLIS))
      return void listen(order.listenAt)
    }
    mode = order
    stuckAt = slotAt(Date.now())
    if (order === "leaving") leave()
  })
  process.on("disconnect", () => process.exit())
  process.send?.("ready")
}

if (import.meta.main) main()
