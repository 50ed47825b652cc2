import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { BenchAddress } from "../ingest/BenchDatabase.ts"
import { plainTokens } from "./PlainTokens.ts"

/** `node:http` and `pg`: as little between a request and its row as can be. */
const tokens = plainTokens(JSON.parse(process.argv[2]!) as BenchAddress)

const answerOf = async (url: string): Promise<object | undefined> => {
  if (url === "/livez") return { success: true }
  const [path, query] = url.split("?", 2) as [string, string | undefined]
  if (path === "/api/tokens") {
    const asked = new URLSearchParams(query)
    return tokens.page(Number(asked.get("limit")), asked.get("endDate"))
  }
  return path.startsWith("/api/tokens/") ? tokens.byId(path.slice("/api/tokens/".length)) : undefined
}

const server = createServer((request, response) => {
  answerOf(request.url!).then(
    (answer) => {
      const body = JSON.stringify(answer ?? { success: false })
      response.writeHead(answer === undefined ? 404 : 200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      })
      response.end(body)
    },
    () => response.writeHead(500).end(),
  )
})
server.listen(0, "127.0.0.1", () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once("disconnect", () => process.exit())
