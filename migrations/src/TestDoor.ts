import { connect, createServer, type Server, type Socket, type AddressInfo } from "node:net"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"

/** SQLSTATE for open connections of a server that stops. */
const STOPS = "57P01"

/** A FATAL message of PostgreSQL. */
const fatal = (state: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mthe door is shut\0\0`)
  const head = Buffer.from("E\0\0\0\0")
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/**
 * A TCP proxy to the test server that can be shut: it then behaves like a server that stops, starts, is out of
 * connections, or is unreachable.
 */
export class TestDoor {
  /** Rejected connections. */
  refused = 0
  /** Chunks forwarded to the server. */
  passed = 0
  /** Number of chunks after which it shuts. */
  shutsAt = Number.POSITIVE_INFINITY
  /** Number of rejections after which it opens again. */
  refusals = Number.POSITIVE_INFINITY
  readonly #server: Server
  readonly #within = new Set<Socket>()
  readonly #pairs = new Map<Socket, Socket>()
  #state: string | undefined
  #isMute = false

  private constructor(server: Server) {
    this.#server = server
    server.on("connection", (socket) => this.#take(socket))
  }

  static readonly make = Effect.acquireRelease(
    Effect.callback<TestDoor>((resume) => {
      const server = createServer()
      const door = new TestDoor(server)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(door)))
    }),
    (door) =>
      Effect.sync(() => {
        door.#server.close()
        door.shut("")
      }),
  )

  addressOf(database: string, user = inject("postgresUsername")) {
    const { port } = this.#server.address() as AddressInfo
    return { url: Redacted.make(`postgres://${user}@127.0.0.1:${port}/${database}`) }
  }

  /**
   * Closes open connections and rejects new ones with this SQLSTATE; with an empty one, connections are just closed.
   */
  shut(state: string): void {
    this.#state = state
    for (const socket of this.#within) this.#refuse(socket, state === "" ? "" : STOPS)
  }

  open(): void {
    this.#state = undefined
  }

  /** Accepts and keeps connections, but forwards nothing, like a hung server. */
  mute(): void {
    this.#isMute = true
    for (const pair of this.#pairs) for (const socket of pair) socket.pause()
  }

  speak(): void {
    this.#isMute = false
    for (const pair of this.#pairs) for (const socket of pair) socket.resume()
  }

  #refuse(socket: Socket, state: string): void {
    if (state === "") socket.destroy()
    else socket.end(fatal(state))
  }

  #take(socket: Socket): void {
    socket.on("error", () => undefined)
    const state = this.#state
    if (state !== undefined) {
      if (++this.refused >= this.refusals) this.open()
      socket.once("data", () => this.#refuse(socket, state))
      return
    }
    const postgres = connect(`${inject("postgresSockets")}/.s.PGSQL.5432`)
    postgres.on("error", () => undefined)
    this.#within.add(socket)
    this.#pairs.set(socket, postgres)
    socket.on("close", () => {
      this.#within.delete(socket)
      this.#pairs.delete(socket)
      postgres.destroy()
    })
    postgres.on("close", () => socket.destroy())
    postgres.on("data", (bytes) => {
      if (this.#within.has(socket) && !socket.writableEnded) socket.write(bytes)
    })
    socket.on("data", (bytes) => {
      if (++this.passed === this.shutsAt) this.shut("57P03")
      else if (!socket.writableEnded) postgres.write(bytes)
    })
    if (this.#isMute) for (const one of [socket, postgres]) one.pause()
  }
}
