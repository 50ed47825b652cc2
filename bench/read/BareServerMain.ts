import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** `BareServerMain.ts <body>`: a server that answers every request with this JSON, and does nothing else. */
const body = process.argv[2]!
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
await once(server.listen(0, "127.0.0.1"), "listening")
process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
process.once("disconnect", () => process.exit())
