import { connect, createServer, type AddressInfo } from "node:net"
import { Effect } from "effect"

/** A port on loopback that leads to a Unix socket. */
export const unixDoor = (path: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((client) => {
          const socket = connect(path)
          for (const one of [client, socket]) one.on("error", () => undefined)
          client.on("close", () => socket.destroy())
          socket.on("close", () => client.destroy())
          client.pipe(socket).pipe(client)
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close()),
    ),
    (server) => (server.address() as AddressInfo).port,
  )
