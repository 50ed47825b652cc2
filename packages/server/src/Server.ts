import type { LaunchpadPresets } from "@launch-registry/chain/launch/ConfigPreset"
import { Holders } from "@launch-registry/chain/launch/Holders"
import { LaunchTransactions } from "@launch-registry/chain/launch/LaunchTransactions"
import { Pools } from "@launch-registry/chain/launch/Pools"
import { Swaps } from "@launch-registry/chain/launch/Swaps"
import { Api } from "@launch-registry/domain/Api"
import { Contract } from "@launch-registry/domain/Contract"
import { ByteSize, Effect, Layer, Option, type Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { bridge, type BridgeOptions } from "./bridge/Bridge.ts"
import { bridgeHealth } from "./bridge/BridgeHealth.ts"
import { BridgeHttp } from "./bridge/BridgeHttp.ts"
import { declaredPaths } from "./http/DeclaredPaths.ts"
import { DOCUMENTATION_ROUTES, DocumentationRoutes } from "./http/Documentation.ts"
import { httpListener } from "./http/HttpListener.ts"
import { listenAt } from "./http/ListenAt.ts"
import { IdempotencyGuardLayer } from "./http/IdempotencyGuard.ts"
import { IdempotentRequests } from "./http/IdempotentRequests.ts"
import { REPLAYED_HEADER } from "./http/KeptResponse.ts"
import { EXACT_ROUTES, requestEdge } from "./http/RequestEdge.ts"
import { RequestGuardLayer } from "./http/RequestGuard.ts"
import { type LimitOptions, serverLimits } from "./http/ServerLimits.ts"
import { SweepRequestsLayer } from "./http/SweepRequests.ts"
import { GATEWAY_ROUTES, GatewayRoutes } from "./ipfs/Gateway.ts"
import { GATEWAY_CORS } from "./ipfs/gateway/GatewayHeaders.ts"
import { DeliverUploadsLayer } from "./ipfs/DeliverUploads.ts"
import { IpfsContent } from "./ipfs/IpfsContent.ts"
import { IpfsDeliveries } from "./ipfs/IpfsDeliveries.ts"
import { IpfsHttp } from "./ipfs/IpfsHttp.ts"
import { IpfsPlacement } from "./ipfs/IpfsPlacement.ts"
import { IpfsUploads } from "./ipfs/IpfsUploads.ts"
import { Candles } from "./launch/Candles.ts"
import { LaunchConfigs } from "./launch/LaunchConfigs.ts"
import { LaunchHttp } from "./launch/LaunchHttp.ts"
import { LaunchPools, poolDirectory } from "./launch/LaunchPools.ts"
import { PoolTrades } from "./launch/PoolTrades.ts"
import { PriceUnits } from "./launch/PriceUnits.ts"
import { Whitelist } from "./launch/Whitelist.ts"
import { ChangeFeed, type StreamLimits } from "./stream/ChangeFeed.ts"
import { StreamHttp } from "./stream/StreamHttp.ts"
import { Health } from "./system/Health.ts"
import { IndexerStatus } from "./system/IndexerStatus.ts"
import { SystemHttp } from "./system/SystemHttp.ts"
import { Tokens } from "./tokens/Tokens.ts"
import { TokensHttp } from "./tokens/TokensHttp.ts"
import { Transactions } from "./transactions/Transactions.ts"
import { TransactionsHttp } from "./transactions/TransactionsHttp.ts"
import { webhookRoutes } from "./webhooks/WebhookRoutes.ts"

/** Largest JSON body. Uploads have a limit of their own. */
const BODY_BYTES_MAX = 1_048_576
export const METRICS_PREFIX = "launch_registry"
/** Requests under way at a stop get this long to finish. */
const DRAIN_MILLIS = 10_000

/** What an API server is told; everything else it needs comes as services (SqlClient, PgClient, Rpc). */
export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly version: string
  readonly network: string
  /** Where content is read, as `<gatewayUrl>/<cid>`. */
  readonly gatewayUrl: string
  /** Where uploads go; without it they are kept here. */
  readonly ipfs?: Parameters<typeof IpfsPlacement.layer>[0]
  /** Where swaps across chains are asked for; without it bridging is switched off. */
  readonly bridge?: BridgeOptions
  readonly tradingRequiresWhitelist: boolean
  readonly launchpads?: LaunchpadPresets
  /** Index of token accounts for the holders of a token. */
  readonly dasUrl?: Redacted.Redacted
  readonly stream?: Partial<StreamLimits>
  readonly limits?: LimitOptions
  /** What webhooks say in `Authorization`; several while one is being replaced by another. */
  readonly webhookSecrets?: ReadonlyArray<Redacted.Redacted>
}

/** Every route, without the port it is served on and the changes it streams. */
export const routes = (options: ServerOptions) => {
  const services = Layer.mergeAll(
    Whitelist.layer({ isRequired: options.tradingRequiresWhitelist }),
    IpfsUploads.layer({ gatewayUrl: options.gatewayUrl }),
    LaunchTransactions.layer(options.launchpads),
    Swaps.layer,
    Holders.layer(options.dasUrl === undefined ? {} : { dasUrl: options.dasUrl }),
    LaunchConfigs.layer,
    LaunchPools.layer,
    Transactions.layer,
    Layer.unwrap(
      Effect.gen(function* () {
        const { health: ipfs } = yield* IpfsPlacement
        return Health.layer({ version: options.version, network: options.network, ipfs, bridge: yield* bridgeHealth })
      }),
    ),
    Layer.mergeAll(Candles.layer, PoolTrades.layer).pipe(Layer.provide(PriceUnits.layer)),
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Tokens.layer,
        IdempotentRequests.layer,
        IpfsPlacement.layer(options.ipfs ?? { order: ["embedded"], backends: [] }).pipe(
          Layer.provideMerge(Layer.mergeAll(IpfsContent.layer, IpfsDeliveries.layer)),
        ),
        IndexerStatus.layer,
        Layer.provide(Pools.layer, poolDirectory),
      ),
    ),
  )
  const groups = Layer.mergeAll(SystemHttp, TokensHttp, TransactionsHttp, IpfsHttp, LaunchHttp, BridgeHttp, StreamHttp)
  const api = HttpApiBuilder.layer(Api).pipe(
    Layer.provide(groups),
    Layer.provide([IdempotencyGuardLayer, RequestGuardLayer]),
  )
  const paths = declaredPaths(Contract, [...DOCUMENTATION_ROUTES, ...GATEWAY_ROUTES])
  return Layer.mergeAll(
    api,
    DeliverUploadsLayer,
    SweepRequestsLayer,
    DocumentationRoutes,
    GatewayRoutes,
    webhookRoutes(options.webhookSecrets ?? []),
    PrometheusMetrics.layerHttp({ prefix: METRICS_PREFIX }),
  ).pipe(
    Layer.provide([
      requestEdge(paths),
      HttpRouter.cors({
        exposedHeaders: [
          "x-request-id",
          "retry-after",
          "allow",
          "location",
          REPLAYED_HEADER,
          ...GATEWAY_CORS.exposedHeaders,
        ],
      }),
    ]),
    Layer.provide(services),
  )
}

/** Built after the server and so closed before it: draining would wait for streams, which have no end. */
const endStreams = Layer.effectDiscard(Effect.flatMap(ChangeFeed, (feed) => Effect.addFinalizer(() => feed.end)))

/** The API on its port, until the scope closes: then it takes no more requests and finishes those under way. */
export const layer = (options: ServerOptions) =>
  endStreams.pipe(
    Layer.provideMerge(
      HttpRouter.serve(routes(options), { routerConfig: EXACT_ROUTES, disableLogger: true, disableListenLog: true }),
    ),
    Layer.provide(ChangeFeed.layer(options.stream)),
    // Whoever follows swaps takes the same one.
    Layer.provideMerge(bridge(Option.fromUndefinedOr(options.bridge))),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(BODY_BYTES_MAX))),
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(httpListener, (listener) =>
          listenAt(listener, { host: options.host, port: options.port, gracefulShutdownTimeout: DRAIN_MILLIS }),
        ),
      ),
    ),
    Layer.provide(serverLimits(options.limits)),
  )
