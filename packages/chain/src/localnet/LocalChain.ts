import { createRequire } from "node:module"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { WebSocketServer } from "ws"
import { accountMethods } from "./AccountMethods.ts"
import { clusterMethods } from "./ClusterMethods.ts"
import { historyMethods } from "./HistoryMethods.ts"
import { JsonRpcFault } from "./JsonRpcFault.ts"
import { Ledger } from "./Ledger.ts"
import type { LedgerOptions } from "./LedgerOptions.ts"
import { LedgerDamaged, LedgerUnwritable } from "./LedgerFile.ts"
import { type LoadedPrograms, ProgramUnreadable } from "./ProgramFiles.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { transactionMethods } from "./TransactionMethods.ts"

const BODY_BYTES_MAX = 1_048_576
const BATCH_MAX = 100
const PORT_MAX = 65_535
/** Longer than clients keep an idle connection: one that is closed while a request is under way fails it. */
const KEEP_ALIVE_MILLIS = 65_000

interface JsonRpcRequest {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

type Methods = Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>>

/** The port of the loopback address is another process', or needs privileges. */
export class LocalChainPortInUse extends Schema.TaggedError<LocalChainPortInUse>()("LocalChainPortInUse", {
  port: Schema.Int,
}) {
  override get message(): string {
    return `The local chain cannot listen on port ${this.port}: it is in use, or not allowed; choose another LOCAL_CHAIN_PORT`
  }
}

/** Whether the local chain is installed; a production install leaves LiteSVM out. */
export const hasLocalChain = (): boolean => {
  try {
    createRequire(import.meta.url).resolve("litesvm")
    return true
  } catch {
    return false
  }
}

/**
 * A Solana chain in this process: LiteSVM, seeded with captured launches, behind the JSON-RPC and the WebSocket
 * subscriptions of a node, both on one loopback port; on the next port as well where that is free, because web3.js
 * expects its subscriptions there. It executes the programs whose files are in a programs folder, or that are loaded
 * later; without them, launches can be built but not executed here. With a data folder, the chain continues after a
 * restart.
 */
export class LocalChain extends Context.Service<
  LocalChain,
  { readonly url: string; readonly hasSocketPort: boolean; readonly programs: LoadedPrograms }
>()("@launch-registry/chain/localnet/LocalChain") {
  /** Listens on the first free one of `ports`; 0 is any. */
  static readonly layer = ({
    ports = [0],
    ...options
  }: Partial<LedgerOptions> & { readonly ports?: ReadonlyArray<number> }) =>
    Layer.effect(
      LocalChain,
      Effect.gen(function* () {
        const ledger = yield* Effect.acquireRelease(
          Effect.tryPromise({
            try: () => Ledger.open({ stage: "mid", ...options }),
            catch: (error) => error,
          }).pipe(
            Effect.catch((error) =>
              error instanceof LedgerDamaged || error instanceof ProgramUnreadable
                ? Effect.fail(error)
                : Effect.die(error),
            ),
          ),
          (opened) => Effect.sync(() => opened.close()),
        )
        const methods: Methods = {
          ...accountMethods(ledger),
          ...clusterMethods(ledger),
          ...historyMethods(ledger),
          ...transactionMethods(ledger),
        }
        const server = yield* Effect.acquireRelease(
          Effect.firstSuccessOf(ports.map((port) => listen(methods, port))),
          (server) => Effect.promise(() => close(server)),
        )
        const { port } = server.address() as AddressInfo
        // Not essential: kit and the service use the RPC's own port.
        const next = Effect.acquireRelease(listen(methods, port + 1), (server) => Effect.promise(() => close(server)))
        const second = port === PORT_MAX ? Option.none<Server>() : yield* Effect.option(next)
        for (const one of [server, ...Option.toArray(second)])
          yield* Effect.acquireRelease(
            Effect.sync(() => acceptSockets(one, ledger, methods)),
            (sockets) =>
              Effect.sync(() => {
                for (const socket of sockets.clients) socket.terminate()
                sockets.close()
              }),
          )
        return { url: `http://127.0.0.1:${port}`, hasSocketPort: Option.isSome(second), programs: ledger.programs }
      }),
    )
}

const listen = (methods: Methods, port: number): Effect.Effect<Server, LocalChainPortInUse> =>
  Effect.callback((resume) => {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MILLIS }, (request, response) => {
      const headers = {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "*",
        "content-type": "application/json",
      }
      if (request.method === "OPTIONS") return void response.writeHead(204, headers).end()
      if (request.method !== "POST")
        return void response.writeHead(405, { ...headers, allow: "POST, OPTIONS" }).end("{}")
      readBody(request).then(
        (body) => response.writeHead(200, headers).end(answerText(methods, body)),
        () => response.writeHead(413, headers).end("{}"),
      )
    })
    server.once("error", () => resume(Effect.fail(new LocalChainPortInUse({ port }))))
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
  })

/** PubSub on the RPC's own port; other requests are answered as over HTTP. */
const acceptSockets = (server: Server, ledger: Ledger, methods: Methods): WebSocketServer => {
  const sockets = new WebSocketServer({ server, maxPayload: BODY_BYTES_MAX })
  sockets.on("connection", (socket) => {
    const subscriptions = new Subscriptions(ledger, socket)
    socket.on("message", (data) => socket.send(answerText({ ...methods, ...subscriptions.methods }, String(data))))
    socket.on("error", () => socket.terminate())
    socket.on("close", () => subscriptions.close())
  })
  return sockets
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > BODY_BYTES_MAX) throw new Error("body too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** The answer as text. One that is too large or too deep to serialise becomes a JSON-RPC error. */
const answerText = (methods: Methods, body: string): string => {
  try {
    return JSON.stringify(answer(methods, body))
  } catch {
    return '{"jsonrpc":"2.0","error":{"code":-32603,"message":"The answer is too large"},"id":null}'
  }
}

const answer = (methods: Methods, body: string): unknown => {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return { jsonrpc: "2.0", error: { code: -32700, message: "Parse error" }, id: null }
  }
  if (!Array.isArray(parsed)) return answerOne(methods, parsed)
  if (parsed.length === 0 || parsed.length > BATCH_MAX) return answerOne(methods, null)
  return parsed.map((request) => answerOne(methods, request))
}

const answerOne = (methods: Methods, request: unknown): unknown => {
  const {
    id: sentId,
    method,
    params,
  } = (typeof request === "object" && request !== null ? request : {}) as JsonRpcRequest
  const id = typeof sentId === "string" || typeof sentId === "number" ? sentId : null
  try {
    if (typeof method !== "string") throw new JsonRpcFault(-32600, "Invalid request")
    if (!Object.hasOwn(methods, method)) throw new JsonRpcFault(-32601, "Method not found")
    return { jsonrpc: "2.0", result: methods[method]!(Array.isArray(params) ? params : []), id }
  } catch (error) {
    const reason = error instanceof LedgerUnwritable ? error.message : "Internal error"
    const fault = error instanceof JsonRpcFault ? error : new JsonRpcFault(-32603, reason)
    return { jsonrpc: "2.0", error: fault.body, id }
  }
}
