import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { groupCommit } from "@launch-registry/indexer/inbox/GroupCommit"
import { postgresLog } from "@launch-registry/indexer/inbox/PostgresLog"
import { Indexer } from "@launch-registry/indexer/Indexer"
import { Sink } from "@launch-registry/indexer/sink/Sink"
import * as Database from "@launch-registry/postgres/Database"
import * as Server from "@launch-registry/service/ApiServer"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { HttpServer } from "effect/http"
import pg from "pg"
import type { BenchAddress } from "./BenchDatabase.ts"
import { lead } from "./Ours.ts"
import { tradesOf } from "./Workload.ts"

/** The `Authorization` header of deliveries. */
export const SECRET = "a secret that is long enough"
const POOL = 32

/** Starts a receiver of deliveries on a loopback port, and returns its URL. */
export type StartServer = (address: BenchAddress) => Promise<string>

const noChain = Layer.succeed(Rpc, {
  call: () => Effect.die("no chain"),
  onEach: () => Effect.die("no chain"),
  getLatestBlockhash: Effect.die("no chain"),
  slotMillis: Effect.succeed(250),
  cordon: () => Effect.void,
  report: Effect.die("no chain"),
})

const options: Server.ServerOptions = {
  host: "127.0.0.1",
  port: 0,
  version: "bench",
  network: "localnet",
  gatewayUrl: "http://127.0.0.1/ipfs",
  tradingRequiresWhitelist: false,
  webhookSecrets: [Redacted.make(SECRET)],
}

/** The service's server and inbox; whether the same process follows the log as well is up to its role. */
const service =
  (folds: boolean): StartServer =>
  async (address) => {
    const server = Server.layer(options).pipe(Layer.provide(groupCommit().pipe(Layer.provide(postgresLog))))
    const follow = Layer.effectDiscard(
      Effect.gen(function* () {
        const indexer = yield* Indexer
        yield* Effect.forkScoped(indexer.follow(yield* lead))
      }),
    ).pipe(Layer.provide(Indexer.layer), Layer.provide(Layer.mergeAll(postgresLog, Sink.layer)))
    const whole = (folds ? Layer.merge(server, follow) : server).pipe(
      Layer.provide([Database.layer(address), noChain, Logger.layer([])]),
    )
    const runtime = ManagedRuntime.make(whole)
    const { address: listening } = await runtime.runPromise(HttpServer.HttpServer)
    return `http://127.0.0.1:${"port" in listening ? listening.port : 0}`
  }

const bodyOf = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    request.on("error", reject)
  })

/** A plain Node server that passes each body to a function and answers 200. */
const plainly = (receive: (body: Buffer) => Promise<unknown> | unknown): Promise<string> => {
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== SECRET) {
      response.writeHead(401).end()
      return
    }
    await receive(await bodyOf(request))
    response.writeHead(200, { "content-type": "application/json", "content-length": 16 }).end('{"success":true}')
  })
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}

const INSERT = "insert into deliveries (signature, body) values ($1, $2)"

/** Stores each delivery with its own statement and commit; duplicates are stored twice. */
const insertPerPost: StartServer = async ({ database, socketDirectory, username }) => {
  const pool = new pg.Pool({ host: socketDirectory, user: username, database, max: POOL, min: POOL })
  await pool.query("create table deliveries (signature text, received_at timestamptz default now(), body bytea)")
  await pool.query("create index deliveries_signature on deliveries (signature)")
  return plainly(async (body) => {
    const parsed = JSON.parse(body.toString()) as ReadonlyArray<{
      readonly transaction?: { readonly signatures?: ReadonlyArray<string> }
    }>
    const signature = parsed[0]?.transaction?.signatures?.[0]
    await pool.query({ name: "insert", text: INSERT, values: [signature, body] })
  })
}

const decodeAlone: StartServer = () => plainly((body) => tradesOf([body]))

export interface WebhookContestant {
  readonly name: string
  readonly about: string
  readonly start: StartServer
  readonly isOurs: boolean
}

export const WEBHOOK_CONTESTANTS: ReadonlyArray<WebhookContestant> = [
  { name: "ours", about: "ours: kept once each, 200 after the commit", start: service(false), isOurs: true },
  { name: "folding", about: "ours, and the same process derives all tables", start: service(true), isOurs: true },
  { name: "insert", about: "node:http and an INSERT per POST, pool of 32", start: insertPerPost, isOurs: false },
  { name: "decode", about: "node:http, parsed and decoded, nothing kept", start: decodeAlone, isOurs: false },
]
