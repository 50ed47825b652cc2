import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** A server on loopback for the duration of a test that passes every JSON body to `answer`; yields its URL. */
export const jsonServer = <A>(answer: (body: A, response: ServerResponse, path: string) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<{ readonly url: string; readonly close: () => void }>((resolve) => {
            const server = createServer((request, response) => {
              let text = ""
              request.on("data", (chunk) => (text += chunk))
              request.on("end", () => answer(JSON.parse(text) as A, response, request.url!))
            })
            server.listen(0, "127.0.0.1", () => {
              const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
              const close = () => {
                server.close()
                server.closeAllConnections()
              }
              resolve({ url, close })
            })
          }),
      ),
      ({ close }) => Effect.sync(close),
    ),
    ({ url }) => url,
  )
