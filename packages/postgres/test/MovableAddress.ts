import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { Effect } from "effect"
import type { EmbeddedServer } from "../src/embedded/EmbeddedPostgres.ts"

/** A TCP address on loopback that leads to one server after another, like the address of a primary, or to several in turn. */
export class MovableAddress {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #targets: ReadonlyArray<EmbeddedServer> = []
  #turn = 0

  private constructor(server: Server) {
    this.#server = server
    server.on("connection", (socket) => this.#take(socket))
  }

  static readonly make = Effect.acquireRelease(
    Effect.callback<MovableAddress>((resume) => {
      const server = createServer()
      const address = new MovableAddress(server)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(address)))
    }),
    (address) =>
      Effect.sync(() => {
        address.#server.close()
        address.cut()
      }),
  )

  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `postgres://registry@127.0.0.1:${port}/registry`
  }

  /** New connections lead there, in turn if there are several, or are refused; open ones stay where they are. */
  moveTo(...targets: ReadonlyArray<EmbeddedServer | undefined>): void {
    this.#targets = targets.filter((target) => target !== undefined)
  }

  /** Closes all connections. */
  cut(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #take(socket: Socket): void {
    socket.on("error", () => undefined)
    const target = this.#targets[this.#turn++ % this.#targets.length]
    if (target === undefined) return void socket.destroy()
    const postgres = connect(`${target.address.socketDirectory}/.s.PGSQL.5432`)
    postgres.on("error", () => undefined)
    this.#open.add(socket)
    socket.on("close", () => {
      this.#open.delete(socket)
      postgres.destroy()
    })
    postgres.on("close", () => socket.destroy())
    socket.pipe(postgres).pipe(socket)
  }
}
