import { connect, createServer, type Server, type Socket, type AddressInfo } from "node:net"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"

/** What a server does to who is connected when it stops. */
const STOPS = "57P01"

/** How PostgreSQL lets somebody go, or does not let them in. */
const fatal = (state: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mthe door is shut\0\0`)
  const head = Buffer.from("E\0\0\0\0")
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** A way to the server of the tests that can be shut, as a server is that stops, starts, has no connection left, or is gone. */
export class TestDoor {
  /** Who was not let in. */
  refused = 0
  /** What clients have sent through it, in pieces. */
  passed = 0
  /** After how many pieces it shuts by itself. */
  shutsAt = Number.POSITIVE_INFINITY
  /** How many are refused before it opens by itself. */
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

  /** Whoever is connected is let go, and nobody comes in but is told this SQLSTATE; an empty one: connections just end. */
  shut(state: string): void {
    this.#state = state
    for (const socket of this.#within) this.#refuse(socket, state === "" ? "" : STOPS)
  }

  open(): void {
    this.#state = undefined
  }

  /** Connections are taken and stay, and nothing goes through, as of a server that hangs. */
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
