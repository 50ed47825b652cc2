import { createServer, request as httpRequest } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Context, Effect, Layer, Logger } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { declaredPaths } from "@launch-registry/http/requests/DeclaredPaths"
import { EXACT_ROUTES, requestEdge } from "@launch-registry/http/requests/RequestEdge"
import { GATEWAY_ROUTES, GatewayRoutes } from "../../src/Gateway.ts"
import { GATEWAY_CORS } from "../../src/gateway/GatewayHeaders.ts"
import { IpfsContent } from "../../src/IpfsContent.ts"

/** An answer as received. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** Whether the body is complete. */
  readonly isComplete: boolean
}

export interface Asking {
  readonly method?: string
  /** Only these are sent: not even Accept. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The gateway alone over HTTP on a loopback port, behind the edge of the service, on a real database. */
export class GatewayServer extends Context.Service<
  GatewayServer,
  { readonly url: string; readonly ask: (path: string, asking?: Asking) => Effect.Effect<WireAnswer> }
>()("@launch-registry/ipfs/test/conformance/GatewayServer") {
  static readonly layer = (
    options: {
      readonly cacheBytesMax?: number
      /** Wraps the content of the gateway. */
      readonly around?: Layer.Layer<IpfsContent, never, IpfsContent>
    } = {},
  ) => {
    const routes = GatewayRoutes.pipe(
      Layer.provide([requestEdge(declaredPaths({ groups: {} }, [...GATEWAY_ROUTES])), HttpRouter.cors(GATEWAY_CORS)]),
    )
    const stored =
      options.cacheBytesMax === undefined
        ? IpfsContent.layer
        : IpfsContent.layerWith({ cacheBytesMax: options.cacheBytesMax })
    const content = options.around === undefined ? stored : options.around.pipe(Layer.provide(stored))
    const server = HttpRouter.serve(routes, {
      routerConfig: EXACT_ROUTES,
      disableLogger: true,
      disableListenLog: true,
    }).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
      Layer.provideMerge(content),
      Layer.provideMerge(TestDatabase.layer),
    )
    return Layer.effect(
      GatewayServer,
      Effect.map(HttpServer.HttpServer, ({ address }) => {
        const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
        return { url, ask: (path, asking) => Effect.promise(() => answerOf(`${url}${path}`, asking)) }
      }),
    ).pipe(Layer.provideMerge(server), Layer.provide(Logger.layer([])))
  }
}

/** By node:http: fetch adds its own headers and hides where a body broke off. */
const answerOf = (url: string, { headers = {}, method = "GET" }: Asking = {}): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("error", () => undefined)
      response.on("close", () => {
        const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(given),
          body: Buffer.concat(parts),
          isComplete: response.complete,
        })
      })
    })
    sent.on("error", reject)
    sent.end()
  })
