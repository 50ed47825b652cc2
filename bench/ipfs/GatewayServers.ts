import { createServer } from "node:http"
import { join } from "node:path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import * as Database from "@launch-registry/postgres/Database"
import { GatewayRoutes } from "@launch-registry/ipfs/Gateway"
import { IpfsContent } from "@launch-registry/ipfs/IpfsContent"
import * as Server from "@launch-registry/service/ApiServer"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import type { BenchAddress } from "../ingest/BenchDatabase.ts"

/** Content in a database, and as files named by their CIDs. */
export interface Places {
  readonly database: BenchAddress
  readonly folder: string
}

export const CONTENT_TYPE = "image/png"

const LOOPBACK = { host: "127.0.0.1", port: 0 }

export const listening = <E>(layer: Layer.Layer<HttpServer.HttpServer, E>) => {
  const runtime = ManagedRuntime.make(Layer.provide(layer, Logger.layer([])))
  return Effect.map(HttpServer.HttpServer, ({ address }) => {
    return `http://127.0.0.1:${"port" in address ? address.port : 0}`
  }).pipe((url) => runtime.runPromise(url))
}

const served = <E, R>(routes: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(() => createServer(), LOOPBACK)),
  )

/** The routes of the gateway without middleware, like the file server. */
const gateway =
  (content: Layer.Layer<IpfsContent, never, Layer.Services<typeof IpfsContent.layer>>) =>
  ({ database }: Places) =>
    listening(
      served(GatewayRoutes.pipe(Layer.provide(content))).pipe(Layer.provide(Database.layer(database)), Layer.orDie),
    )

export const noChain = Layer.succeed(Rpc, {
  call: () => Effect.die("no chain"),
  onEach: () => Effect.die("no chain"),
  getLatestBlockhash: Effect.die("no chain"),
  slotMillis: Effect.succeed(250),
  cordon: () => Effect.void,
  report: Effect.die("no chain"),
})

const service = ({ database }: Places) =>
  listening(
    Server.layer({
      ...LOOPBACK,
      version: "bench",
      network: "localnet",
      gatewayUrl: "http://127.0.0.1/ipfs",
      tradingRequiresWhitelist: false,
    }).pipe(Layer.provide([Database.layer(database), noChain])),
  )

/** The framework's own file responses. */
const files = ({ folder }: Places) =>
  listening(
    served(
      HttpRouter.use((router) =>
        router.add(
          "GET",
          "/ipfs/:cid",
          Effect.flatMap(HttpRouter.params, ({ cid = "" }) =>
            HttpServerResponse.file(join(folder, cid), { contentType: CONTENT_TYPE }),
          ),
        ),
      ),
    ),
  )

export const GATEWAY_CONTESTANTS = {
  hot: { about: "gateway", start: gateway(IpfsContent.layer) },
  cold: { about: "gateway, nothing kept in memory", start: gateway(IpfsContent.layerWith({ cacheBytesMax: 0 })) },
  service: { about: "whole service", start: service },
  files: { about: "file server", start: files },
} as const
export type GatewayContestant = keyof typeof GATEWAY_CONTESTANTS
