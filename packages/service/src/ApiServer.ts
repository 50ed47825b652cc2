import { Access } from "@launch-registry/server/access/Access"
import { AccessGuardLayer } from "@launch-registry/server/access/AccessGuard"
import { type AccessOptions, OPEN_ACCESS } from "@launch-registry/server/access/AccessOptions"
import { AuditHttp } from "@launch-registry/server/access/AuditHttp"
import { sweepAuditLog } from "@launch-registry/server/access/AuditLog"
import { Pools } from "@launch-registry/chain/pools/Pools"
import { Api } from "@launch-registry/domain/Api"
import { Contract } from "@launch-registry/domain/Contract"
import { DeadLettersLayer } from "@launch-registry/indexer/inbox/DeadLetters"
import { IndexerJobsLayer } from "@launch-registry/indexer/jobs/IndexerJobs"
import { RpcCordonsLayer } from "@launch-registry/indexer/cordons/RpcCordons"
import { ByteSize, Effect, Layer, Option, type Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { bridge, type BridgeOptions } from "@launch-registry/bridge/Bridge"
import { bridgeHealth } from "@launch-registry/bridge/BridgeHealth"
import { BridgeHttp } from "@launch-registry/bridge/BridgeHttp"
import { declaredPaths } from "@launch-registry/http/requests/DeclaredPaths"
import { DOCUMENTATION_ROUTES, DocumentationRoutes } from "@launch-registry/http/documentation/Documentation"
import { AccessLogOfServer } from "@launch-registry/http/listener/AccessLog"
import { httpListener } from "@launch-registry/http/listener/HttpListener"
import { listenAt } from "@launch-registry/http/listener/ListenAt"
import { IdempotencyGuardLayer } from "@launch-registry/http/idempotency/IdempotencyGuard"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { crossOrigin } from "@launch-registry/http/requests/CrossOrigin"
import { EXACT_ROUTES, requestEdge } from "@launch-registry/http/requests/RequestEdge"
import { RequestGuardLayer } from "@launch-registry/http/requests/RequestGuard"
import { type LimitOptions, serverLimits } from "@launch-registry/http/limits/ServerLimits"
import { clientLimits, limitHeaders } from "@launch-registry/http/limits/ClientLimits"
import { AuthenticatedKey } from "@launch-registry/http/limits/RequestClient"
import { SweepRequestsLayer } from "@launch-registry/http/idempotency/SweepRequests"
import { GATEWAY_ROUTES, GatewayRoutes } from "@launch-registry/ipfs/gateway/Gateway"
import { DeliverUploadsLayer } from "@launch-registry/ipfs/placement/DeliverUploads"
import { IpfsContent } from "@launch-registry/ipfs/content/IpfsContent"
import { IpfsHttp } from "@launch-registry/ipfs/IpfsHttp"
import { IpfsPlacement } from "@launch-registry/ipfs/placement/IpfsPlacement"
import { documentImages } from "@launch-registry/ipfs/content/StoredDocuments"
import { IpfsUploads } from "@launch-registry/ipfs/IpfsUploads"
import { storedImages } from "@launch-registry/ipfs/images/StoredImages"
import { SweepUploadsLayer } from "@launch-registry/ipfs/retention/SweepUploads"
import { uploadReferences } from "@launch-registry/server/ipfs/UploadReferences"
import type { MetadataOptions } from "@launch-registry/server/metadata/DocumentUrls"
import { FetchFigures, fetchMetrics } from "@launch-registry/server/metadata/FetchFigures"
import type { NotificationOptions } from "@launch-registry/server/notifications/NotificationOptions"
import { attemptMetrics } from "@launch-registry/server/notifications/NotificationFigures"
import { notifications } from "@launch-registry/server/notifications/Notifications"
import { NotificationsHttp } from "@launch-registry/server/notifications/NotificationsHttp"
import { Analytics } from "@launch-registry/server/analytics/Analytics"
import { AnalyticsHttp } from "@launch-registry/server/analytics/AnalyticsHttp"
import { LaunchHttp } from "@launch-registry/server/launch/LaunchHttp"
import { History } from "@launch-registry/server/history/History"
import { LearnCurves } from "@launch-registry/server/markets/LearnCurves"
import { migrationPositions, poolDirectory } from "@launch-registry/server/launch/PoolDirectory"
import { Markets } from "@launch-registry/server/markets/Markets"
import { PriceFigures, priceMetrics } from "@launch-registry/server/prices/PriceFigures"
import { HasUsdPrices } from "@launch-registry/server/prices/QuotePrices"
import type { PriceOptions } from "@launch-registry/server/prices/PriceSource"
import { type SubmissionOptions, Submissions } from "@launch-registry/server/submissions/Submissions"
import { SubmissionFigures, submissionMetrics } from "@launch-registry/server/submissions/SubmissionFigures"
import { Trust } from "@launch-registry/server/trust/Trust"
import { TrustReports } from "@launch-registry/server/tokens/TrustReports"
import { SweepBuiltLaunchesLayer } from "@launch-registry/server/launch/BuiltLaunchSweep"
import { Whitelist } from "@launch-registry/server/launch/Whitelist"
import { ChangeFeed } from "@launch-registry/server/stream/ChangeFeed"
import { ShownChangesLayer } from "@launch-registry/server/stream/ShownChanges"
import { StreamHttp } from "@launch-registry/server/stream/StreamHttp"
import { Health } from "@launch-registry/server/system/Health"
import { IndexerStatus } from "@launch-registry/server/system/IndexerStatus"
import { SHARING_ROUTES, sharingRoutes } from "@launch-registry/server/sharing/SharingRoutes"
import { SystemHttp } from "@launch-registry/server/system/SystemHttp"
import { countedHolders } from "@launch-registry/server/tokens/HolderCounts"
import { ChainLabels } from "@launch-registry/server/tokens/ChainLabels"
import { Tokens } from "@launch-registry/server/tokens/Tokens"
import { TokensHttp } from "@launch-registry/server/tokens/TokensHttp"
import { bridgeRecords } from "@launch-registry/server/transactions/BridgeRecords"
import { Transactions } from "@launch-registry/server/transactions/Transactions"
import { TransactionsHttp } from "@launch-registry/server/transactions/TransactionsHttp"
import { WalletsHttp } from "@launch-registry/server/wallets/WalletsHttp"
import { webhookRoutes } from "@launch-registry/server/webhooks/WebhookRoutes"
import { exposedHeaders, isForOperators, OPEN_PREFIX } from "./ExposedHeaders.ts"
import { type BuilderOptions, builderParts } from "./BuilderParts.ts"
import { consoleParts } from "./ConsoleParts.ts"
import { datapiParts, datapiUpgrades } from "./DatapiParts.ts"
import { DatabaseMetrics } from "./metrics/DatabaseMetrics.ts"
import { metricsRoute } from "./metrics/MetricsRoute.ts"
import { processMetrics } from "./metrics/ProcessMetrics.ts"
import { readFromReplicas } from "@launch-registry/http/replicas/ReadFromReplicas"
import { requestMetrics } from "./metrics/RequestMetrics.ts"
import { streamMetrics } from "./metrics/StreamMetrics.ts"

/** Maximum size of a JSON body: several times the longest that the contract allows. Uploads have their own limit. */
const BODY_BYTES_MAX = 131_072
/** Time for requests in flight to finish at shutdown. */
export const DRAIN_MILLIS = 10_000

/** Options of the API server; other dependencies are services (SqlClient, PgClient, Rpc). */
export interface ServerOptions extends BuilderOptions {
  readonly host: string
  readonly port: number
  readonly version: string
  readonly network: string
  /** Content is read at `<gatewayUrl>/<cid>`. */
  readonly gatewayUrl: string
  /** Backends of uploads; the database by default. */
  readonly ipfs?: Parameters<typeof IpfsPlacement.layer>[0]
  /** Uploads that nothing used for so long are deleted; none by default. */
  readonly uploadsKeptDays?: number | undefined
  /** The swap service for cross-chain swaps, if configured. */
  readonly bridge?: BridgeOptions
  /** How events are sent to endpoints, if they are. */
  readonly notifications?: NotificationOptions
  /** How metadata documents are fetched that are stored elsewhere, if they are. */
  readonly metadata?: MetadataOptions
  /** What is sent for callers; everything by default. */
  readonly submissions?: SubmissionOptions
  /** Where prices in US dollars come from, if they do. */
  readonly prices?: PriceOptions
  readonly tradingRequiresWhitelist: boolean
  /** RPC URL with an index of token accounts, for holders. */
  readonly dasUrl?: Redacted.Redacted
  readonly stream?: Parameters<typeof ChangeFeed.layer>[0]
  /** Whether the routes that the template fun-launch reads are served. */
  readonly hasDatapi?: boolean
  readonly limits?: LimitOptions
  /** Open by default. */
  readonly access?: AccessOptions
  /** Origins whose pages may read answers; all by default. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** Whether every request is logged at info; otherwise at debug. */
  readonly accessLog?: boolean
  /** Whether the console's test wallet is given SOL: on a local chain alone. */
  readonly faucet?: boolean
  /** Values of `Authorization` of webhooks; two during a rotation. */
  readonly webhookSecrets?: ReadonlyArray<Redacted.Redacted>
}

/** All routes, without listener and change feed. */
export const routes = (options: ServerOptions) => {
  const { access = OPEN_ACCESS, faucet = false, network } = options
  const consolePart = consoleParts({ network, access, faucet })
  const accessLayer = Access.layer(access)
  const services = Layer.mergeAll(
    Whitelist.layer({ isRequired: options.tradingRequiresWhitelist }),
    Layer.provideMerge(IpfsUploads.metadata, IpfsUploads.layer({ gatewayUrl: options.gatewayUrl })),
    builderParts(options),
    Layer.mergeAll(RpcCordonsLayer, IndexerJobsLayer, DeadLettersLayer),
    Layer.provideMerge(
      Layer.provide(TrustReports.layer, migrationPositions),
      Layer.merge(Trust.layer, countedHolders(options.dasUrl === undefined ? {} : { dasUrl: options.dasUrl })),
    ),
    Layer.provideMerge(Submissions.layer(options.submissions), Transactions.layer),
    Layer.unwrap(
      Effect.gen(function* () {
        const { health: ipfs } = yield* IpfsPlacement
        return Health.layer({ version: options.version, network: options.network, ipfs, bridge: yield* bridgeHealth })
      }),
    ),
    Layer.provideMerge(Analytics.layer, History.layer),
    storedImages({ gatewayUrl: options.gatewayUrl }),
    Layer.provide(Layer.merge(Markets.layer, Trust.layer), [
      LearnCurves.layer,
      documentImages({ gatewayUrl: options.gatewayUrl }),
    ]),
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.merge(Tokens.layer, ChainLabels.layer),
        IdempotentRequests.layer,
        IpfsPlacement.layer(options.ipfs ?? { order: ["embedded"] }).pipe(Layer.provideMerge(IpfsContent.layer)),
        IndexerStatus.layer,
        Layer.provide(Pools.layer, poolDirectory),
      ),
    ),
  )
  const groups = Layer.mergeAll(
    ...([SystemHttp, TokensHttp, TransactionsHttp, IpfsHttp, LaunchHttp, BridgeHttp, StreamHttp] as const),
    ...([AuditHttp, NotificationsHttp, AnalyticsHttp, WalletsHttp] as const),
  )
  const api = HttpApiBuilder.layer(Api).pipe(
    Layer.provide(groups),
    Layer.provide([IdempotencyGuardLayer, RequestGuardLayer, AccessGuardLayer]),
    Layer.provide(accessLayer),
  )
  const countedKeys = Layer.provide(
    Layer.effect(
      AuthenticatedKey,
      Effect.map(Access, ({ keyOf }) => keyOf),
    ),
    accessLayer,
  )
  const datapiPart = datapiParts(options)
  const plainRoutes = [
    ...DOCUMENTATION_ROUTES,
    ...GATEWAY_ROUTES,
    ...SHARING_ROUTES,
    ...consolePart.paths,
    ...datapiPart.paths,
  ]
  const paths = declaredPaths(Contract, plainRoutes)
  return Layer.mergeAll(
    api,
    datapiPart.layer,
    DeliverUploadsLayer,
    SweepRequestsLayer,
    options.uploadsKeptDays === undefined
      ? Layer.empty
      : Layer.provide(SweepUploadsLayer(options.uploadsKeptDays), uploadReferences),
    SweepBuiltLaunchesLayer,
    sweepAuditLog(access),
    DocumentationRoutes,
    consolePart.layer,
    sharingRoutes(access.site.uri),
    GatewayRoutes,
    webhookRoutes(options.webhookSecrets ?? []),
    metricsRoute,
    processMetrics(options.version),
    streamMetrics,
    submissionMetrics,
    options.prices === undefined ? Layer.empty : priceMetrics,
    options.metadata === undefined ? Layer.empty : fetchMetrics,
    attemptMetrics,
  ).pipe(
    Layer.provide(readFromReplicas),
    // Within what answers preflights: browsers show nobody the answer to these.
    Layer.provide(Layer.provide(clientLimits(options.limits), countedKeys)),
    Layer.provide(
      DatabaseMetrics.layer({
        hasBridge: options.bridge !== undefined,
        hasNotifications: options.notifications !== undefined,
        hasPrices: options.prices !== undefined,
      }),
    ),
    Layer.provide([
      requestEdge(paths),
      crossOrigin({
        origins: options.corsOrigins,
        exposedHeaders: [...exposedHeaders(access), ...limitHeaders(options.limits)],
        ...{ isOwn: isForOperators, openPrefix: OPEN_PREFIX },
      }),
    ]),
    Layer.provide(services),
  )
}

/** Built after the server, so closed before it: draining would wait for streams, which never end. */
const endStreams = Layer.effectDiscard(Effect.flatMap(ChangeFeed, (feed) => Effect.addFinalizer(() => feed.end)))

export const changeFeed = ({ gatewayUrl, stream }: Pick<ServerOptions, "gatewayUrl" | "stream">) =>
  ChangeFeed.layer(stream).pipe(
    Layer.provide(Layer.provide(Markets.layer, [LearnCurves.layer, documentImages({ gatewayUrl })])),
  )

/** Serves the API until the scope closes, then finishes requests in flight. */
export const layer = (options: ServerOptions) =>
  endStreams.pipe(
    Layer.provideMerge(
      HttpRouter.serve(routes(options), { routerConfig: EXACT_ROUTES, disableLogger: true, disableListenLog: true }),
    ),
    Layer.provide(changeFeed(options)),
    // Shared with what sends submissions.
    Layer.provideMerge(SubmissionFigures.layer),
    // Shared with what fetches documents.
    Layer.provideMerge(FetchFigures.layer),
    // Shared with what refreshes prices.
    Layer.provideMerge(PriceFigures.layer),
    // Shared with the bridge watcher.
    Layer.provideMerge(bridge(Option.fromUndefinedOr(options.bridge)).pipe(Layer.provideMerge(bridgeRecords))),
    // Shared with what sends them; the bridge tells it of outcomes.
    Layer.provideMerge(notifications(Option.fromUndefinedOr(options.notifications))),
    Layer.provide(Layer.provide(ShownChangesLayer, LearnCurves.layer)),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(BODY_BYTES_MAX))),
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(httpListener, (listener) =>
          listenAt(listener, { host: options.host, port: options.port, gracefulShutdownTimeout: DRAIN_MILLIS }),
        ),
      ),
    ),
    Layer.provide([
      serverLimits(options.limits),
      requestMetrics,
      Layer.succeed(HasUsdPrices, options.prices !== undefined),
      Layer.succeed(AccessLogOfServer, options.accessLog === true),
      datapiUpgrades(options),
    ]),
  )
