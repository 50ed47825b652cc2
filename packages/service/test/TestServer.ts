import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { SEEDED_POOLS, type SeedStage } from "@launch-registry/chain/localnet/SeedAccounts"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { LoopbackLinks } from "@launch-registry/domain/text/WebUri"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import * as Server from "../src/ApiServer.ts"
import { unstalledClock } from "../../chain/test/UnstalledClock.ts"
import { checkedFetch } from "./ContractCheck.ts"

/** Answer of the server with its parsed body. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // A successful answer was checked against the schema of its endpoint, which a test knows.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface RequestOptions {
  readonly method?: string
  readonly json?: unknown
  /** Sent as it is. */
  readonly raw?: NonNullable<RequestInit["body"]>
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestServerOptions extends Partial<
  Omit<Server.ServerOptions, "host" | "port" | "version" | "gatewayUrl" | "dasUrl">
> {
  readonly stage?: SeedStage
  readonly rpcUrl?: string
  /** Replaces the single one, in order of preference. */
  readonly rpcUrls?: ReadonlyArray<string>
  /** An index of token accounts; without it they are scanned. */
  readonly dasUrl?: string
  readonly takesLoopbackLinks?: boolean
  /** By default a new one. */
  readonly database?: typeof TestDatabase.layer
  /** Loggers and tracer; without it, nothing is logged. */
  readonly observation?: Layer.Layer<never>
}

/** The whole API over HTTP on a loopback port, on a real database and the local chain. Successful answers must match the contract. */
export class TestServer extends Context.Service<
  TestServer,
  {
    readonly url: string
    readonly request: (path: string, options?: RequestOptions) => Effect.Effect<Answer>
    /** The raw response, for bodies that are not JSON; JSON is checked as well. */
    readonly fetch: (path: string, options?: RequestInit) => Effect.Effect<Response>
  }
>()("@launch-registry/service/test/TestServer") {
  static readonly layer = ({
    database = TestDatabase.layer,
    observation = Logger.layer([]),
    dasUrl,
    rpcUrl,
    rpcUrls = rpcUrl === undefined ? undefined : [rpcUrl],
    stage = "mid",
    takesLoopbackLinks = true,
    ...options
  }: TestServerOptions = {}) => {
    const urls = rpcUrls?.map((url) => Redacted.make(url))
    const chain =
      urls === undefined
        ? Layer.unwrap(
            Effect.map(LocalChain, ({ url }) => Rpc.layer({ urls: [Redacted.make(url)], genesisHash: "any" })),
            // Slow slots: a blockhash outlives what a busy machine takes.
          ).pipe(Layer.provide(LocalChain.layer({ stage, slotMillis: 400 })))
        : Rpc.layer({ urls, genesisHash: "any" })
    // Tests move the clock by hours; the connections to the chain use real time.
    const onRealTime = Layer.provide(chain, unstalledClock)
    // The index of the local chain, as far as the server needs it.
    const indexed = Layer.effectDiscard(
      Effect.flatMap(SqlClient, (sql) =>
        Effect.forEach(
          SEEDED_POOLS,
          (launch) => sql`
            insert into dbc_pools ${sql.insert({
              ...{ ...launch, quoteMint: NATIVE_MINT, poolType: 0 },
              ...{ createdSlot: 0n, createdAt: new Date(0) },
            })} on conflict do nothing`,
        ),
      ).pipe(Effect.orDie),
    )
    const server = Server.layer({
      ...{ host: "127.0.0.1", port: 0, version: "0.0.0-test", network: "localnet" },
      ...{ gatewayUrl: "http://localhost:3001/ipfs", tradingRequiresWhitelist: false },
      ...(dasUrl !== undefined && { dasUrl: Redacted.make(dasUrl) }),
      ...options,
    }).pipe(Layer.provideMerge(Layer.merge(Layer.provideMerge(indexed, database), onRealTime)))
    return Layer.effect(
      TestServer,
      Effect.map(HttpServer.HttpServer, ({ address }) => {
        const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
        const fetchIt = (path: string, init?: RequestInit) => Effect.promise(() => checkedFetch(`${url}${path}`, init))
        const request = (path: string, { headers, json, method, raw }: RequestOptions = {}) => {
          const body = raw ?? (json === undefined ? undefined : JSON.stringify(json))
          const type = json === undefined ? {} : { "content-type": "application/json" }
          const init = { method: method ?? (body === undefined ? "GET" : "POST"), headers: { ...type, ...headers } }
          return Effect.promise(async () => {
            const response = await checkedFetch(`${url}${path}`, body === undefined ? init : { ...init, body })
            const text = await response.text()
            return {
              status: response.status,
              headers: response.headers,
              body: text === "" ? undefined : JSON.parse(text),
            }
          })
        }
        return { url, request, fetch: fetchIt }
      }),
    ).pipe(
      Layer.provideMerge(server),
      Layer.provide(Layer.succeed(LoopbackLinks, takesLoopbackLinks)),
      Layer.provide(observation),
    )
  }
}
