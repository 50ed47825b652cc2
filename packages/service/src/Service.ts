import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { transactionsOfLocalChain } from "@launch-registry/indexer/CapturedTransactions"
import { Indexer } from "@launch-registry/indexer/Indexer"
import { Sink } from "@launch-registry/indexer/Sink"
import { Source } from "@launch-registry/indexer/Source"
import * as Database from "@launch-registry/migrations/Database"
import { embeddedPostgres } from "@launch-registry/migrations/embedded/EmbeddedPostgres"
import * as Migrate from "@launch-registry/migrations/Migrate"
import * as Server from "@launch-registry/server/Server"
import { Effect, Layer, Option, Redacted } from "effect"
import { Announcement } from "./Announcement.ts"
import type { Settings } from "./Settings.ts"

export const VERSION = "0.1.0"

/** The database of the settings, or an embedded one; migrated. */
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
      return Migrate.layer.pipe(Layer.provideMerge(Database.layer(address)))
    }),
  )

/** The RPC endpoints of the settings, or the local chain in this process. */
const chain = (settings: Settings) =>
  settings.rpcUrls.length > 0
    ? Rpc.layer({ urls: settings.rpcUrls, genesisHash: settings.genesisHash, maxSlotLag: settings.maxSlotLag })
    : Layer.unwrap(
        Effect.gen(function* () {
          const { programs, url } = yield* LocalChain
          const announcement = yield* Announcement
          const executes =
            programs.length === 0
              ? "it executes no DBC transactions: no program files"
              : `executes with ${programs.join(", ")}`
          announcement.add("Solana", `local chain at ${url}, seeded with two captured launches (${executes})`)
          return Rpc.layer({ urls: [Redacted.make(url)], genesisHash: ANY_GENESIS })
        }),
      ).pipe(Layer.provide(LocalChain.layer({ programsFolder: settings.programsFolder })))

/** The indexer beside the local chain: what happened there before it was started. */
const localIndexer = Indexer.layer.pipe(Layer.provide([Source.layerOf(transactionsOfLocalChain), Sink.layer]))

const runIndexer = Layer.effectDiscard(
  Effect.flatMap(Indexer, ({ run }) =>
    Effect.forkScoped(Effect.tapCause(run, (cause) => Effect.logError("The indexer stopped", cause))),
  ),
)

const indexerHealth = (indexer: Indexer["Service"]): Effect.Effect<PartHealth> =>
  Effect.map(indexer.progress, ({ isDone, slot }) => ({
    status: isDone ? "up" : "degraded",
    detail: slot === undefined ? "at its cursor" : `indexed up to slot ${slot}`,
  }))

const NO_SOURCE: PartHealth = { status: "off", detail: "follows no chain in this version" }

const serverOptions = (settings: Settings, health: Effect.Effect<PartHealth>): Server.ServerOptions => ({
  host: settings.host,
  port: settings.port,
  version: VERSION,
  network: settings.network,
  gatewayUrl: settings.gatewayUrl,
  tradingRequiresWhitelist: settings.tradingRequiresWhitelist,
  launchpads: settings.launchpads,
  ...Option.match(settings.dasUrl, { onNone: () => ({}), onSome: (dasUrl) => ({ dasUrl }) }),
  indexerHealth: health,
})

/** The API alone, or with the indexer that follows the local chain. */
const roles = (settings: Settings) =>
  settings.role === "all" && settings.rpcUrls.length === 0
    ? Layer.unwrap(
        Effect.map(Indexer, (indexer) =>
          Layer.merge(Server.layer(serverOptions(settings, indexerHealth(indexer))), runIndexer),
        ),
      ).pipe(Layer.provide(localIndexer))
    : Server.layer(serverOptions(settings, Effect.succeed(NO_SOURCE)))

/** The whole service of one process. Announces itself once all of it is up. */
export const service = (settings: Settings) =>
  Announcement.print(settings).pipe(
    Layer.provide(roles(settings).pipe(Layer.provide(Layer.mergeAll(database(settings), chain(settings))))),
    Layer.provide(Announcement.layer),
  )
