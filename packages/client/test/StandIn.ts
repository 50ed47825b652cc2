import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface Told {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON unless it is a string. */
  readonly body?: unknown
}

export type Script = (
  asked: Asked,
  response: ServerResponse,
  count: number,
) => Told | undefined | Promise<Told | undefined>

export interface StandIn extends AsyncDisposable {
  readonly url: string
  /** Every request so far. */
  readonly asked: ReadonlyArray<Asked>
}

/** A registry on loopback that answers by a script; one that returns nothing writes the response itself. */
export const standIn = async (script: Script): Promise<StandIn> => {
  const asked: Array<Asked> = []
  const server = createServer(async (request, response) => {
    const seen = {
      ...{ method: request.method ?? "", path: request.url ?? "", headers: request.headers },
      body: await text(request),
    }
    const count = asked.push(seen)
    const told = await script(seen, response, count)
    if (told === undefined) return
    const { body, headers = {}, status = 200 } = told
    response.writeHead(status, headers)
    response.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const success = (data: unknown, more: object = {}): Told => ({ body: { success: true, data, ...more } })

export const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Told => ({
  ...{ status, headers },
  body: { success: false, code, message: `It is ${code}`, requestId: "r1" },
})
