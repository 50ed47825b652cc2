import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** How a path is answered. */
export type Answers = (response: ServerResponse, request: IncomingMessage) => void

export const json =
  (document: unknown): Answers =>
  (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document))

/** A host of documents on loopback, which notes what it is asked and refuses what no fetch should be. */
export class DocumentHost {
  readonly answers = new Map<string, Answers>()
  readonly asked: Array<string> = []
  /** Requests in flight now, and the most that there were. */
  inFlight = 0
  mostInFlight = 0
  readonly #server = createServer((request, response) => {
    const path = request.url ?? ""
    this.asked.push(path)
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight)
    response.on("close", () => this.inFlight--)
    const { authorization, cookie, referer } = request.headers
    const isSound =
      request.method === "GET" &&
      request.headers["accept-encoding"] === "identity" &&
      [authorization, cookie, referer].every((header) => header === undefined)
    const answer = this.answers.get(path)
    if (!isSound) response.writeHead(400).end()
    else if (answer === undefined) response.writeHead(404).end()
    else answer(response, request)
  })

  /** For as long as the scope lasts. */
  static readonly make = Effect.acquireRelease(
    Effect.promise(async () => {
      const host = new DocumentHost()
      await new Promise<void>((resolve) => host.#server.listen(0, "127.0.0.1", resolve))
      return host
    }),
    (host) =>
      Effect.promise(async () => {
        host.#server.closeAllConnections()
        await new Promise((resolve) => host.#server.close(resolve))
      }),
  )

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
}
