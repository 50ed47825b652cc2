import { createServer } from "node:http"

/** `NodeMain.ts <number> <genesis hash> <port>`: a stand-in RPC node, which answers reads with its number. Messages set how it behaves. */
export type Behaviour = "well" | "slow" | "stuck" | "unavailable" | "rateLimited"

const SERVICE_MILLIS = 4
const SLOW_MILLIS = 1_500
const SLOT_MILLIS = 250
const RETRY_AFTER_SECONDS = 8
const BLOCKHASH = "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ"
/** Long enough ago for slots that are plausible. */
const SLOTS_SINCE = Date.UTC(2026, 0, 1)

const [number, genesisHash, port] = process.argv.slice(2)
let behaviour: Behaviour = "well"
const slotNow = () => Math.floor((Date.now() - SLOTS_SINCE) / SLOT_MILLIS)
let stuckAt = 0

const resultOf = (method: string): unknown => {
  const slot = behaviour === "stuck" ? stuckAt : slotNow()
  if (method === "getGenesisHash") return genesisHash
  if (method === "getLatestBlockhash")
    return { context: { slot }, value: { blockhash: BLOCKHASH, lastValidBlockHeight: slot + 150 } }
  return method === "getHealth" ? "ok" : Number(number)
}

const server = createServer((request, response) => {
  let text = ""
  request.on("data", (chunk) => (text += chunk))
  request.on("end", () => {
    if (behaviour === "unavailable") return void response.writeHead(503).end("<html>unavailable</html>")
    if (behaviour === "rateLimited")
      return void response.writeHead(429, { "retry-after": String(RETRY_AFTER_SECONDS) }).end()
    const { id, method } = JSON.parse(text)
    const millis = (behaviour === "slow" ? SLOW_MILLIS : 0) + SERVICE_MILLIS * (0.5 + Math.random())
    setTimeout(() => response.end(JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method) })), millis)
  })
})
// The process that listened there may only just have ended.
server.on("error", () => setTimeout(() => server.listen(Number(port), "127.0.0.1"), 2))
server.on("listening", () => process.send!(server.address()))
server.listen(Number(port), "127.0.0.1")
process.on("message", (next: Behaviour) => {
  behaviour = next
  stuckAt = slotNow()
})
process.on("disconnect", () => process.exit())
