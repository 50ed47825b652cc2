import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import * as Database from "@launch-registry/migrations/Database"
import { embeddedPostgres } from "@launch-registry/migrations/embedded/EmbeddedPostgres"
import * as Migrate from "@launch-registry/migrations/Migrate"
import * as Server from "@launch-registry/server/Server"
import { Effect, Layer, Option, Redacted } from "effect"
import { announcement } from "./Announcement.ts"
import type { Settings } from "./Settings.ts"

export const VERSION = "0.1.0"

/** The database of the settings, or an embedded one; migrated. */
const database = (settings: Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const address = yield* Option.match(settings.databaseUrl, {
        onSome: (url) => Effect.succeed({ url }),
        onNone: () => Effect.map(embeddedPostgres({ folder: settings.dataFolder }), ({ address }) => address),
      })
      return Migrate.layer.pipe(Layer.provideMerge(Database.layer(address)))
    }),
  )

/** The RPC endpoints of the settings, or the local chain in this process. */
const chain = (settings: Settings) =>
  settings.rpcUrls.length > 0
    ? Rpc.layer({ urls: settings.rpcUrls, network: settings.network })
    : Layer.unwrap(
        Effect.map(LocalChain, ({ url }) => Rpc.layer({ urls: [Redacted.make(url)], network: settings.network })),
      ).pipe(Layer.provideMerge(LocalChain.layer({ programsFolder: settings.programsFolder })))

/** The whole service of one process. */
export const service = (settings: Settings) =>
  Server.layer({
    host: settings.host,
    port: settings.port,
    version: VERSION,
    network: settings.network,
    gatewayUrl: settings.gatewayUrl,
    tradingRequiresWhitelist: settings.tradingRequiresWhitelist,
    indexerHealth: Effect.succeed({ status: "off", detail: "not part of this process" }),
  }).pipe(Layer.provide(Layer.mergeAll(database(settings), chain(settings))), (layer) => Layer.merge(layer, announcement(settings)))
