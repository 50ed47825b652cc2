import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** A request as a receiver got it. */
export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a receiver answers: with a status, or by itself. */
export type Answers = number | ((request: IncomingMessage, response: ServerResponse) => void)

/** A receiver of webhooks on loopback, which answers as it is told. */
export class NotificationReceiver {
  readonly received: Array<Received> = []
  answers: Answers = 204
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => this.#take(request, response))
  }

  /** At this port, or a free one; for as long as the scope lasts. */
  static readonly make = Effect.acquireRelease(
    Effect.promise(async () => {
      const receiver = new NotificationReceiver()
      await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve))
      return receiver
    }),
    (receiver) =>
      Effect.promise(async () => {
        receiver.#server.closeAllConnections()
        await new Promise((resolve) => receiver.#server.close(resolve))
      }),
  )

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Bodies that came at a path, decoded. */
  // Tests check the fields that matter.
  // oxlint-disable-next-line typescript/no-explicit-any
  at(path: string): ReadonlyArray<any> {
    return this.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body))
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const headers = request.headers as Readonly<Record<string, string>>
      this.received.push({ path: request.url ?? "", headers, body: Buffer.concat(chunks).toString() })
      if (typeof this.answers === "number") response.writeHead(this.answers).end()
      else this.answers(request, response)
    })
  }
}
