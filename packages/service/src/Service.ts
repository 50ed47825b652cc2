import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import * as ClickHouse from "@launch-registry/clickhouse/ClickHouse"
import { LoopbackLinks } from "@launch-registry/domain/text/WebUri"
import * as Database from "@launch-registry/postgres/Database"
import * as ReadReplica from "@launch-registry/postgres/ReadReplica"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import * as AwaitMigrations from "@launch-registry/migrations/AwaitMigrations"
import * as Migrate from "@launch-registry/migrations/Migrate"
import * as Stopping from "@launch-registry/http/listener/Stopping"
import type { IpfsBackend } from "@launch-registry/ipfs/backends/IpfsBackend"
import * as Server from "./ApiServer.ts"
import { FollowCordonsLayer } from "@launch-registry/indexer/cordons/FollowCordons"
import { BridgeWatcherLayer } from "@launch-registry/bridge/BridgeWatcher"
import { FetchDocumentsLayer } from "@launch-registry/server/metadata/FetchDocuments"
import { SendNotificationsLayer } from "@launch-registry/server/notifications/SendNotifications"
import * as StatusServer from "./StatusServer.ts"
import { RefreshPricesLayer } from "@launch-registry/server/prices/RefreshPrices"
import { SendSubmissionsLayer } from "@launch-registry/server/submissions/SubmissionRound"
import { FollowIndexLayer } from "@launch-registry/server/tokens/FollowIndex"
import { SearchLocaleLayer } from "@launch-registry/server/tokens/SearchLocale"
import { CountRecordsLayer } from "@launch-registry/server/tokens/RecordedWindows"
import { Effect, Layer, Option } from "effect"
import { Announcement } from "./Announcement.ts"
import { indexing, webhookInbox } from "./Indexing.ts"
import { remoteBackend } from "./RemoteBackend.ts"
import { embeddedChain } from "./EmbeddedChain.ts"
import { embeddedPartsInstalled } from "./EmbeddedParts.ts"
import { sameChain } from "./SameChain.ts"
import type { Settings } from "./Settings.ts"
import { telemetry } from "./telemetry/Telemetry.ts"

export const VERSION = "0.1.0"

/** The configured or embedded database, migrated here or elsewhere. */
const database = (settings: Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const announcement = yield* Announcement
      const address = yield* Option.match(settings.databaseUrl, {
        onSome: (url) => Effect.succeed({ url }),
        onNone: () =>
          Effect.map(embeddedPostgres({ folder: settings.dataFolder }), ({ address, folder, isNew }) => {
            announcement.add("PostgreSQL", `embedded, ${isNew ? "new" : "existing"} data in ${folder}`)
            return address
          }),
      })
      const migrated = settings.lifecycle.isMigrating ? Migrate.layer : AwaitMigrations.layer
      return Layer.provideMerge(migrated, Database.layer(address))
    }),
  )

/** The replica of the database that answers reads of the API, if there is one. */
const replica = ({ databaseReadUrl, role }: Settings) =>
  Option.isNone(databaseReadUrl) || role === "indexer" ? Layer.empty : ReadReplica.layer({ url: databaseReadUrl.value })

/** The history in ClickHouse, if there is one: the indexer writes it, and the API reads it. */
const history = (settings: Settings) =>
  Option.match(settings.history, { onNone: () => Layer.empty, onSome: ClickHouse.layer })

/** The configured RPC endpoints, or the local chain in this process. */
const chain = (settings: Settings) =>
  settings.rpcUrls.length > 0
    ? Rpc.layer({ urls: settings.rpcUrls, genesisHash: settings.genesisHash })
    : embeddedChain(settings)

const serverOptions = (settings: Settings, backend?: IpfsBackend): Server.ServerOptions => ({
  host: settings.host,
  port: settings.port,
  version: VERSION,
  network: settings.network,
  gatewayUrl: settings.gatewayUrl,
  ipfs: { order: settings.ipfs.order, backend },
  submissions: settings.submissions,
  tradingRequiresWhitelist: settings.tradingRequiresWhitelist,
  launchpads: settings.launchpads,
  ...Option.match(settings.priorityFeeMaxLamports, {
    onNone: () => ({}),
    onSome: (priorityFeeMaxLamports) => ({ priorityFeeMaxLamports }),
  }),
  limits: settings.limits,
  access: settings.access,
  corsOrigins: settings.access.corsOrigins,
  hasDatapi: settings.hasDatapi,
  accessLog: settings.runMode === "production",
  faucet: settings.rpcUrls.length === 0,
  uploadsKeptDays: settings.lifecycle.uploadsKeptDays,
  webhookSecrets: settings.indexer.webhookSecrets,
  ...Option.match(settings.prices, { onNone: () => ({}), onSome: (prices) => ({ prices }) }),
  ...Option.match(settings.metadata, { onNone: () => ({}), onSome: (metadata) => ({ metadata }) }),
  ...Option.match(settings.bridge, { onNone: () => ({}), onSome: (bridge) => ({ bridge }) }),
  ...Option.match(settings.notifications, { onNone: () => ({}), onSome: (notifications) => ({ notifications }) }),
  ...Option.match(settings.heliusUrl, { onNone: () => ({}), onSome: (dasUrl) => ({ dasUrl }) }),
})

/** The roles of this process: API, indexer, or both. */
const roles = (settings: Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (settings.role === "indexer")
        return Layer.merge(StatusServer.layer(serverOptions(settings)), indexing(settings))
      const options = serverOptions(settings, yield* remoteBackend(settings.ipfs))
      const api = Layer.mergeAll(
        BridgeWatcherLayer,
        FollowIndexLayer,
        SearchLocaleLayer,
        CountRecordsLayer,
        SendNotificationsLayer,
        SendSubmissionsLayer,
        FetchDocumentsLayer(Option.getOrUndefined(settings.metadata)),
        RefreshPricesLayer(Option.getOrUndefined(settings.prices)),
      ).pipe(Layer.provideMerge(Server.layer(options)), Layer.provide(webhookInbox))
      return settings.role === "all" ? Layer.merge(api, indexing(settings)) : api
    }),
  )

/** The service of one process. Prints its announcement once everything is up. */
export const service = (settings: Settings) =>
  Layer.merge(Announcement.print(settings, VERSION), Stopping.giveNotice(settings.lifecycle.shutdownDelaySeconds)).pipe(
    Layer.provide(
      Layer.merge(roles(settings), FollowCordonsLayer).pipe(
        Layer.provide([replica(settings), history(settings)]),
        Layer.provide(sameChain(settings)),
        Layer.provide(Layer.mergeAll(database(settings), chain(settings))),
      ),
    ),
    Layer.provide([Announcement.layer, Stopping.layer, Layer.succeed(LoopbackLinks, settings.runMode === "local")]),
    Layer.provide(Layer.effectDiscard(embeddedPartsInstalled(settings))),
    Layer.provide(
      Option.match(settings.telemetry, {
        onNone: () => Layer.empty,
        onSome: (options) => telemetry(options, { version: VERSION, role: settings.role }),
      }),
    ),
  )
