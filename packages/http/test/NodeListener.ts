import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { Effect } from "effect"

/** A plain HTTP server on loopback, and the connections it has. */
export const nodeListener = (bounded: (server: Server) => Server, listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly connections: ReadonlySet<Socket> }>((resume) => {
      const connections = new Set<Socket>()
      const server = bounded(createServer(listener))
      server.on("connection", (socket) => {
        connections.add(socket)
        socket.once("close", () => connections.delete(socket))
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, connections, server }))
      })
    }) as Effect.Effect<{ readonly url: string; readonly connections: ReadonlySet<Socket>; readonly server: Server }>,
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
