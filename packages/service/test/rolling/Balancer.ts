import { get } from "node:http"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

interface Target {
  readonly port: number
  isReady: boolean
  /** Connections that were passed on to it. */
  connections: number
}

const isReadyAt = (port: number) =>
  new Promise<boolean>((resolve) => {
    const request = get({ host: "127.0.0.1", port, path: "/readyz", agent: false }, (response) => {
      response.resume()
      response.once("end", () => resolve(response.statusCode === 200))
    })
    request.once("error", () => resolve(false))
  })

/**
 * A balancer of TCP connections: new ones go in turn to the targets whose `/readyz` is 200. It looks into no bytes, tries no
 * other target for a connection, and leaves open connections where they are.
 */
export class Balancer {
  readonly targets: ReadonlyArray<Target>
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #turn = 0
  #isStopped = false

  private constructor(ports: ReadonlyArray<number>) {
    this.targets = ports.map((port) => ({ port, isReady: false, connections: 0 }))
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#take(socket))
  }

  static async start(ports: ReadonlyArray<number>, checkMillis: number): Promise<Balancer> {
    const balancer = new Balancer(ports)
    await new Promise<void>((resolve) => balancer.#server.listen(0, "127.0.0.1", resolve))
    for (const target of balancer.targets) void balancer.#check(target, checkMillis)
    return balancer
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Resolves once the checks say so. */
  async until(port: number, isReady: boolean): Promise<void> {
    const target = this.targets.find((one) => one.port === port)!
    while (target.isReady !== isReady) await sleep(10)
  }

  stop(): void {
    this.#isStopped = true
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
  }

  async #check(target: Target, everyMillis: number): Promise<void> {
    while (!this.#isStopped) {
      target.isReady = await isReadyAt(target.port)
      await sleep(everyMillis)
    }
  }

  #take(client: Socket): void {
    const ready = this.targets.filter(({ isReady }) => isReady)
    const target = ready[this.#turn++ % ready.length]
    if (target === undefined) return void client.destroy()
    target.connections++
    const server = connect({ host: "127.0.0.1", port: target.port, allowHalfOpen: true, noDelay: true })
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(socket)
      socket.once("error", () => other.destroy())
      socket.once("close", () => this.#open.delete(socket))
      socket.pipe(other)
    }
  }
}
