import { createServer, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, Server as NetServer, type Socket } from "node:net"
import { Clock, Effect, Layer, Logger, Redacted } from "effect"
import { ANY_GENESIS } from "../../src/rpc/Network.ts"
import { Rpc, type RpcOptions } from "../../src/rpc/Rpc.ts"
import { afterUnstalled, unstalledClock, unstalledMillis } from "../UnstalledClock.ts"

export interface JsonRpcCall {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}
export type Behaviour = (response: ServerResponse, call: JsonRpcCall) => void

export const result =
  (value: unknown): Behaviour =>
  (response, { id }) =>
    void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: value }))

/** A refusal as nodes send it. */
export const failure =
  (code: number, message = "m", data?: unknown): Behaviour =>
  (response, { id }) =>
    void response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...(data ? { data } : {}) } }))

export const status =
  (code: number, body = "", headers = {}): Behaviour =>
  (response) =>
    void response.writeHead(code, headers).end(body)

export const hang: Behaviour = () => undefined

export const after =
  (millis: number, behaviour: Behaviour): Behaviour =>
  (response, call) =>
    void afterUnstalled(millis, () => behaviour(response, call))

const GENESIS = "CaptureGenesisHash1111111111111111111111111"
/** The signature of a transaction that a node accepted. */
export const SIGNATURE = "5".repeat(87)

const BLOCKHASH = "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ"
const SLOT_MILLIS = 400
const FIRST_SLOT = 1_000_000
/** All nodes are of one cluster. */
const STARTED_AT = unstalledMillis()

/** A node whose behaviour tests define. Its slot advances like a cluster's. */
export class StandInNode {
  /** Methods of received calls, without probes. */
  readonly calls: Array<string> = []
  readonly probes: Array<string> = []
  /** The methods of each connection. */
  readonly connections = new Map<Socket, Array<string>>()
  genesisHash = GENESIS
  authorization: string | undefined
  /** Slots behind the cluster. */
  lag = 0
  /** The rent of its accounts, which identifies its answers. */
  balance = 890_880
  /** Closes every connection after one answer, and says so. */
  answersOnce = false
  readonly #behaviours = new Map<string, Behaviour>()
  #server: Server | undefined
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}/?api-key=CANARY`
  }

  /** The behaviour of a method; `calls` is every method that is not a probe, `*` every method. */
  behave(method: string, behaviour: Behaviour): this {
    this.#behaviours.set(method, behaviour)
    return this
  }

  recover(): void {
    this.#behaviours.clear()
  }

  async start(port = this.#port): Promise<this> {
    this.#port = port
    const server = createServer((request, response) => {
      let text = ""
      this.authorization = request.headers.authorization
      if (this.answersOnce) response.setHeader("connection", "close")
      request.on("data", (chunk) => (text += chunk))
      request.on("end", () => this.#answer(response, JSON.parse(text)))
    })
    server.on("connection", (socket) => this.connections.set(socket, []))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", () => resolve()))
    this.#port = (server.address() as AddressInfo).port
    return this
  }

  /** Announces how long it keeps idle connections. */
  announceKeepAlive(millis: number): void {
    this.#server!.keepAliveTimeout = millis
  }

  /** Drops its connections; new ones are accepted. */
  dropConnections(): void {
    this.#server!.closeAllConnections()
  }

  /** Drops every connection and the port, like kill -9. */
  async die(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  /**
   * Another node takes over the port. Connections to this one close one by one: at the next answer, or at once when
   * nothing is in flight on them.
   */
  async handOverTo(next: StandInNode): Promise<void> {
    const server = this.#server!
    this.#server = undefined
    const closed = new Promise((resolve) => server.once("close", resolve))
    // The server's own method would close all idle connections at once.
    NetServer.prototype.close.call(server)
    await next.start(this.#port)
    this.answersOnce = true
    for (const socket of this.connections.keys()) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      socket.end()
    }
    server.closeAllConnections()
    await closed
  }

  #answer(response: ServerResponse, call: JsonRpcCall): void {
    this.connections.get(response.socket!)?.push(call.method)
    const isProbe = String(call.id).startsWith("probe-")
    ;(isProbe ? this.probes : this.calls).push(call.method)
    const behaviour =
      this.#behaviours.get("*") ??
      this.#behaviours.get(isProbe ? "probes" : "calls") ??
      this.#behaviours.get(call.method)
    if (behaviour === undefined) this.answer(response, call)
    else behaviour(response, call)
  }

  /** Answers like a healthy node. */
  answer(response: ServerResponse, call: JsonRpcCall): void {
    result(this.#result(call.method))(response, call)
  }

  get slot(): number {
    return FIRST_SLOT + Math.floor((unstalledMillis() - STARTED_AT) / SLOT_MILLIS) - this.lag
  }

  #result(method: string): unknown {
    const { slot } = this
    if (method === "getGenesisHash") return this.genesisHash
    if (method === "getLatestBlockhash")
      return { context: { slot }, value: { blockhash: BLOCKHASH, lastValidBlockHeight: slot + 150 } }
    return method === "getSlot" ? 5 : this.balance
  }
}

/** A node for the length of a test. */
export const standInNode = Effect.acquireRelease(
  Effect.promise(() => new StandInNode().start()),
  (node) => Effect.promise(() => node.die()),
)

/** A URL where nothing listens. */
export const DEAD_URL = "http://127.0.0.1:9/?api-key=CANARY"

/** After the first probe of the primary: which node is verified first is random, and the first call goes to that one. */
const primaryFirst = Effect.gen(function* () {
  const rpc = yield* Rpc
  const isProbed = Effect.map(rpc.report, ({ endpoints: [primary] }) => {
    const { lastFault, state } = primary!
    return state !== "unverified" || lastFault !== null
  })
  while (!(yield* isProbed)) yield* Effect.sleep(5)
  return rpc
})

/** The failover over these nodes, without logs, on a clock that stops while this process does: so does the test's. */
export const over = (urls: ReadonlyArray<string>, options: Partial<RpcOptions> = {}) =>
  Layer.effect(Rpc, primaryFirst).pipe(
    Layer.provide(Rpc.layer({ genesisHash: ANY_GENESIS, ...options, urls: urls.map((url) => Redacted.make(url)) })),
    Layer.provideMerge(unstalledClock),
    Layer.provideMerge(Logger.layer([])),
  )

export const getSlot = Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.getSlot()))

/** Calls that differ from each other. */
export const distinctCall = (index: number) =>
  Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.getMinimumBalanceForRentExemption(BigInt(index))))

export const distinctCalls = (count: number) =>
  Effect.all(
    Array.from({ length: count }, (_, index) => distinctCall(index)),
    { concurrency: count },
  )

export const reportOf = (name: string) =>
  Effect.flatMap(Rpc, ({ report }) =>
    Effect.map(report, ({ endpoints }) => endpoints.find((endpoint) => endpoint.name === name)!),
  )

/** Milliseconds on the failover's clock. */
export const clockMillis = Effect.map(Clock.Clock, (clock) => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n))

/** Waits until something holds. */
export const until = <R>(
  what: Effect.Effect<boolean, never, R>,
  withinMillis = 30_000,
): Effect.Effect<void, never, R> =>
  Effect.gen(function* () {
    const giveUpAt = (yield* clockMillis) + withinMillis
    while (!(yield* what)) {
      if ((yield* clockMillis) > giveUpAt) return yield* Effect.die(new Error("It did not come true in time"))
      yield* Effect.sleep(20)
    }
  })

export const untilState = (name: string, state: string, withinMillis?: number) =>
  until(
    Effect.map(reportOf(name), (endpoint) => endpoint.state === state),
    withinMillis,
  )
