import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { Effect } from "effect"
import type { EmbeddedServer } from "../src/embedded/EmbeddedPostgres.ts"

/** A TCP address on loopback that leads to one server after another, like the address of a primary. */
export class MovableAddress {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #target: EmbeddedServer | undefined

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
        for (const socket of address.#open) socket.destroy()
      }),
  )

  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `postgres://registry@127.0.0.1:${port}/registry`
  }

  /** New connections lead there, or are refused; open ones stay where they are. */
  moveTo(target: EmbeddedServer | undefined): void {
    this.#target = target
  }

  #take(socket: Socket): void {
    socket.on("error", () => undefined)
    if (this.#target === undefined) return void socket.destroy()
    const postgres = connect(`${this.#target.address.socketDirectory}/.s.PGSQL.5432`)
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
