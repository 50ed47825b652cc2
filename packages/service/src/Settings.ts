import type { LaunchpadPresets } from "@launch-registry/chain/launches/ConfigPreset"
import { MAINNET_RPC } from "@launch-registry/chain/localnet/ClonePrograms"
import { ANY_GENESIS, GENESIS_HASH, type Network } from "@launch-registry/chain/rpc/Network"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { faultOfDatabaseUrl } from "@launch-registry/postgres/DatabaseUrl"
import type { MetadataOptions } from "@launch-registry/server/metadata/DocumentUrls"
import type { NotificationOptions } from "@launch-registry/server/notifications/NotificationOptions"
import type { LimitOptions } from "@launch-registry/http/limits/ServerLimits"
import { Config, ConfigProvider, Effect, type LogLevel, Option, Redacted, Result, Schema } from "effect"
import { heliusRpcUrl } from "@launch-registry/indexer/helius/HeliusRpcUrl"
import { ACCESS_NAMES, type AccessSettings, readAccessSettings } from "./AccessSettings.ts"
import { InvalidSettings } from "./InvalidSettings.ts"
import { type IndexerSettings, readIndexerSettings } from "./IndexerSettings.ts"
import { readLaunchpads } from "./LaunchpadSettings.ts"
import { type BridgeSettings, readBridgeSettings } from "./BridgeSettings.ts"
import { type IpfsSettings, readIpfsSettings } from "./IpfsSettings.ts"
import { LIFECYCLE_NAMES, type LifecycleSettings, readLifecycleSettings } from "./LifecycleSettings.ts"
import { LIMIT_NAMES, readLimitSettings } from "./LimitSettings.ts"
import { readMetadataSettings } from "./MetadataSettings.ts"
import { readNotificationSettings } from "./NotificationSettings.ts"
import type { HistoryUrl } from "@launch-registry/clickhouse/HistoryUrl"
import { readHistorySettings } from "./HistorySettings.ts"
import { readEnvironment } from "./Environment.ts"
import { misspeltSettings } from "./MisspeltSettings.ts"
import type { PriceOptions } from "@launch-registry/server/prices/PriceSource"
import { PRICE_NAMES, readPriceSettings } from "./PriceSettings.ts"
import { readSubmissionSettings, type SubmissionSettings } from "./SubmissionSettings.ts"
import { wholeSettings } from "./WholeSetting.ts"
import { readTelemetrySettings, TELEMETRY_NAMES, type TelemetryOptions } from "./TelemetrySettings.ts"

export type RunMode = "local" | "development" | "production"
export type Role = "all" | "api" | "indexer"

/** The settings of the service. Absent options mean the embedded part. */
export interface Settings {
  readonly runMode: RunMode
  readonly role: Role
  readonly port: number
  readonly host: string
  readonly logLevel: LogLevel.LogLevel
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** The replica of the database that answers reads. */
  readonly databaseReadUrl: Option.Option<Redacted.Redacted>
  readonly network: Network
  readonly rpcUrls: ReadonlyArray<Redacted.Redacted>
  /** Genesis hash that every RPC endpoint must have, or `any`. */
  readonly genesisHash: string
  readonly gatewayUrl: string
  readonly tradingRequiresWhitelist: boolean
  /** Whether the routes that the template fun-launch reads are served. */
  readonly hasDatapi: boolean
  readonly launchpads: LaunchpadPresets
  /** The most that a priority fee may be, for each transaction; the default applies where absent. */
  readonly priorityFeeMaxLamports: Option.Option<bigint>
  readonly heliusApiKey: Option.Option<Redacted.Redacted>
  /** RPC URL of Helius for token accounts and history, with the key. */
  readonly heliusUrl: Option.Option<Redacted.Redacted>
  /** Public URL of the service, if configured. */
  readonly publicUrl: Option.Option<string>
  readonly indexer: IndexerSettings
  /** Limits for clients; defaults apply where absent. */
  readonly limits: LimitOptions
  readonly access: AccessSettings
  readonly lifecycle: LifecycleSettings
  readonly submissions: SubmissionSettings
  /** Absent without a source of prices in US dollars. */
  readonly prices: Option.Option<PriceOptions>
  /** Absent without a history in ClickHouse. */
  readonly history: Option.Option<HistoryUrl>
  readonly ipfs: IpfsSettings
  /** Absent if no swap service is configured. */
  readonly bridge: Option.Option<BridgeSettings>
  /** Absent if nothing is exported. */
  readonly telemetry: Option.Option<TelemetryOptions>
  /** Absent if metadata documents that are stored elsewhere are not fetched. */
  readonly metadata: Option.Option<MetadataOptions>
  /** Absent if no events are sent to endpoints. */
  readonly notifications: Option.Option<NotificationOptions>
  /** Data folder of the embedded parts. */
  readonly dataFolder: string
  /** Folder of program files for the local chain. */
  readonly programsFolder: string
  /** Where the programs that the local chain lacks are cloned from. Absent: nowhere. */
  readonly cloneProgramsUrl: Option.Option<Redacted.Redacted>
  /** Where the local chain must listen. Absent: at the usual port if it is free, else at any. */
  readonly localChainPort: Option.Option<number>
  /** Warnings for variables that look like misspelt settings. */
  readonly misspelt: ReadonlyArray<string>
}

/** Every setting; each can be set as `<NAME>_FILE` as well. */
export const SETTING_NAMES: ReadonlyArray<string> = [
  ...["RUN_MODE", "ROLE", "PORT", "HOST", "LOG_LEVEL", "DATABASE_URL", "NETWORK"],
  ...["RPC_URL", "RPC_BACKUP_URL"],
  ...["RPC_GENESIS_HASH", "LAUNCHPADS", "PRIORITY_FEE_MAX_LAMPORTS", "HELIUS_API_KEY"],
  ...["HELIUS_WEBHOOK_SECRET", "INDEXER_SOURCE", "INDEXER_RECONCILE_SECONDS", "INDEXER_POOL_REQUESTS"],
  ...["IPFS_BACKEND", "IPFS_GATEWAY_URL", "PUBLIC_URL", "TRADING_REQUIRES_WHITELIST", "DATA_FOLDER", "PROGRAMS_FOLDER"],
  ...["IPFS_KEY", "IPFS_SECRET", "IPFS_BUCKET", "IPFS_ENDPOINT"],
  ...["INTENTS_URL", "INTENTS_API_KEY", "INTENTS_QUOTE_KEY", "INTENTS_REQUESTS_PER_SECOND"],
  ...["LOCAL_CHAIN_PORT", "CLONE_PROGRAMS"],
  ...LIMIT_NAMES,
  ...ACCESS_NAMES,
  ...LIFECYCLE_NAMES,
  ...TELEMETRY_NAMES,
  ...PRICE_NAMES,
  ...["NOTIFICATIONS_SECRET", "SUBMIT_PROGRAMS", "DATABASE_READ_URL", "HISTORY_URL", "FETCH_METADATA", "COMPAT_DATAPI"],
]

const LOG_LEVELS: Readonly<Record<string, LogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
}

const LOCAL_CHAIN = "a local chain (RUN_MODE=local and no RPC_URL)"

/** Nobody means to pay more to be scheduled earlier. */
const LAMPORTS_PER_SOL = 1_000_000_000

const isGenesisHash = (text: string): boolean => text === ANY_GENESIS || decodeBase58(text)?.length === 32

const isUrl = (text: string, protocols: ReadonlyArray<string>): boolean => {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol)
}

/** Reads all settings from `environment`; fails with all faults. */
export const readSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): Effect.Effect<Settings, InvalidSettings> =>
  Effect.gen(function* () {
    const { faults: fileFaults, values } = readEnvironment(environment, SETTING_NAMES)
    const faults = [...fileFaults]
    const provider = ConfigProvider.fromEnv({ env: values })
    const fault = (name: string, expected: string) => void faults.push(`${name}: expected ${expected}`)

    /** The value of a setting, or the fallback if it is absent or invalid (which is reported). */
    const read = <A>(name: string, config: Config.Config<A>, fallback: A, expected: string) =>
      Effect.map(Effect.result(config.parse(provider)), (result) => {
        if (Result.isSuccess(result)) return result.success
        if (values[name] !== undefined) fault(name, expected)
        return fallback
      })
    const flag = (name: string, fallback: boolean) => read(name, Config.Boolean(name), fallback, "true or false")
    const choice = <A extends string>(name: string, allowed: ReadonlyArray<A>, fallback: A) =>
      read(name, Config.schema(Schema.Literals(allowed), name), fallback, allowed.join(", "))
    /** The comma-separated URLs of a setting; none if one is invalid (which is reported). */
    const urls = (name: string, protocols: ReadonlyArray<string>): ReadonlyArray<Redacted.Redacted> => {
      const texts = values[name]?.split(",").map((text) => text.trim()) ?? []
      if (texts.every((text) => isUrl(text, protocols))) return texts.map((text) => Redacted.make(text))
      fault(name, `a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`)
      return []
    }

    const runMode = yield* choice<RunMode>("RUN_MODE", ["local", "development", "production"], "local")
    const isLocal = runMode === "local"
    const role = yield* choice<Role>("ROLE", ["all", "api", "indexer"], "all")
    const port = yield* read("PORT", Config.Port("PORT"), 3001, "a port number from 1 to 65535")
    const folder = (name: string, fallback: string) => read(name, Config.NonEmptyString(name), fallback, "a folder")
    const host = yield* read(
      "HOST",
      Config.NonEmptyString("HOST"),
      isLocal ? "127.0.0.1" : "0.0.0.0",
      "an address to listen on",
    )
    const level = yield* choice("LOG_LEVEL", Object.keys(LOG_LEVELS), "info")
    /** One connection string, which may contain commas; its fault is named without any part of it. */
    const connectionString = Effect.fnUntraced(function* (name: string) {
      const text = values[name]
      if (text === undefined) return Option.none<Redacted.Redacted>()
      const url = Redacted.make(text)
      // A list of them would be read as one with a strange database.
      if (/\s/.test(text) || !isUrl(text, ["postgres:", "postgresql:"]))
        fault(name, "one URL starting with postgres:// or postgresql://")
      else {
        const wrong = yield* faultOfDatabaseUrl(url)
        if (wrong !== undefined) fault(name, `a connection string of PostgreSQL (${wrong})`)
      }
      return Option.some(url)
    })
    const databaseUrl = yield* connectionString("DATABASE_URL")
    const databaseReadUrl = yield* connectionString("DATABASE_READ_URL")
    if (Option.isSome(databaseReadUrl) && Option.isNone(databaseUrl))
      fault("DATABASE_READ_URL", "no value without DATABASE_URL: the embedded database has no replica")
    const rpcUrls = ["RPC_URL", "RPC_BACKUP_URL"].flatMap((name) => urls(name, ["https:", "http:"]))
    const network = yield* choice<Network>("NETWORK", ["mainnet", "devnet", "localnet"], "localnet")
    const genesisHash = values.RPC_GENESIS_HASH ?? GENESIS_HASH[network]
    const tradingRequiresWhitelist = yield* flag("TRADING_REQUIRES_WHITELIST", false)

    const datapi = yield* choice("COMPAT_DATAPI", ["off", "on"], "off")

    const localChainPort = yield* read(
      "LOCAL_CHAIN_PORT",
      Config.option(Config.Port("LOCAL_CHAIN_PORT")),
      Option.none<number>(),
      "a port number from 1 to 65535",
    )
    const hasLocalChain = isLocal && values.RPC_URL === undefined
    if (values.LOCAL_CHAIN_PORT !== undefined && !hasLocalChain)
      fault("LOCAL_CHAIN_PORT", `no value without ${LOCAL_CHAIN}`)
    const cloneFrom = values.CLONE_PROGRAMS
    if (cloneFrom !== undefined && cloneFrom !== "off") {
      if (/\s/.test(cloneFrom) || !isUrl(cloneFrom, ["https:", "http:"]))
        fault("CLONE_PROGRAMS", "off, or the URL of an RPC endpoint")
      else if (!hasLocalChain) fault("CLONE_PROGRAMS", `no URL without ${LOCAL_CHAIN}`)
    }

    // Embedded parts start only in local mode.
    for (const name of ["DATABASE_URL", "RPC_URL", "NETWORK"]) {
      if (!isLocal && values[name] === undefined) fault(name, `a value with RUN_MODE=${runMode}`)
    }
    if (values.RPC_BACKUP_URL !== undefined && values.RPC_URL === undefined)
      fault("RPC_URL", "a primary endpoint in addition to RPC_BACKUP_URL")
    if (isLocal && values.RPC_URL === undefined && network !== "localnet")
      fault("RPC_URL", `an endpoint of ${network}; the local chain is a localnet`)
    if (isLocal && role !== "all" && values.RPC_URL === undefined)
      fault("RPC_URL", `an endpoint with ROLE=${role}: the local chain runs within one process, with ROLE=all`)
    // The genesis hash of a localnet is unknown: accepting any must be explicit.
    if (values.RPC_URL !== undefined && genesisHash === undefined)
      fault("RPC_GENESIS_HASH", `the genesis hash of your localnet, or ${ANY_GENESIS}`)
    if (values.RPC_GENESIS_HASH !== undefined && !isGenesisHash(values.RPC_GENESIS_HASH))
      fault("RPC_GENESIS_HASH", `a genesis hash (32 bytes in base58), or ${ANY_GENESIS}`)
    if (values.RPC_GENESIS_HASH !== undefined && network !== "localnet")
      fault("RPC_GENESIS_HASH", `no value with NETWORK=${network}: its genesis hash is known`)

    if (values.HELIUS_API_KEY !== undefined && network === "localnet")
      fault("HELIUS_API_KEY", "no value with NETWORK=localnet: Helius does not serve it")
    const indexer = readIndexerSettings(values, network, fault)
    const ipfs = readIpfsSettings(values, !isLocal && role !== "indexer", fault)
    const bridge = readBridgeSettings(values, fault)
    const limits = readLimitSettings(values, fault)
    if (limits.writes?.storedBytes !== undefined && !ipfs.order.includes("embedded"))
      fault("STORED_MEGABYTES_MAX", "no value, because without embedded in IPFS_BACKEND nothing is stored here")
    const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/+$/, "")
    const isPublicUrlKnown = isLocal || values.PUBLIC_URL !== undefined
    const access = readAccessSettings(values, { publicUrl, isPublicUrlKnown, network }, fault)
    const hasCredentials = access.writeAuth.length > 0 || access.adminKeys.length > 0
    const notifications = readNotificationSettings(values, { hasCredentials, isLocal }, fault)
    const metadata = readMetadataSettings(values, isLocal, fault)
    const lifecycle = readLifecycleSettings(values, runMode === "production", fault)
    const submissions = readSubmissionSettings(values, fault)
    const prices = readPriceSettings(values, fault)
    const history = readHistorySettings(values, fault)
    const telemetry = readTelemetrySettings(values, fault)
    const launchpads = readLaunchpads(values.LAUNCHPADS)
    const whole = wholeSettings(values, fault)
    const priorityFeeMax = whole("PRIORITY_FEE_MAX_LAMPORTS", "lamports", 0, LAMPORTS_PER_SOL)
    if (!("launchpad_a" in launchpads)) faults.push(...launchpads)

    const misspelt = misspeltSettings(environment, SETTING_NAMES)
    if (faults.length > 0 || !("launchpad_a" in launchpads)) return yield* new InvalidSettings({ faults, misspelt })
    const heliusApiKey = Option.map(Option.fromNullishOr(values.HELIUS_API_KEY), (key) => Redacted.make(key))
    return {
      runMode,
      role,
      port,
      host,
      logLevel: LOG_LEVELS[level]!,
      databaseUrl,
      databaseReadUrl,
      network,
      rpcUrls,
      genesisHash: genesisHash ?? ANY_GENESIS,
      gatewayUrl: (values.IPFS_GATEWAY_URL ?? `${publicUrl}/ipfs`).replace(/\/+$/, ""),
      tradingRequiresWhitelist,
      hasDatapi: datapi === "on",
      launchpads,
      priorityFeeMaxLamports: Option.map(Option.fromUndefinedOr(priorityFeeMax), BigInt),
      heliusApiKey,
      heliusUrl: Option.map(heliusApiKey, (key) => heliusRpcUrl(network, key)),
      publicUrl: Option.fromNullishOr(values.PUBLIC_URL?.replace(/\/+$/, "")),
      indexer,
      limits,
      access,
      lifecycle,
      submissions,
      prices: Option.fromUndefinedOr(prices),
      history: Option.fromUndefinedOr(history),
      ipfs,
      bridge: Option.fromUndefinedOr(bridge),
      telemetry: Option.fromUndefinedOr(telemetry),
      notifications: Option.fromUndefinedOr(notifications),
      metadata: Option.fromUndefinedOr(metadata),
      dataFolder: yield* folder("DATA_FOLDER", ".data"),
      programsFolder: yield* folder("PROGRAMS_FOLDER", "programs"),
      localChainPort,
      cloneProgramsUrl:
        cloneFrom === "off"
          ? Option.none()
          : Option.some(cloneFrom === undefined ? MAINNET_RPC : Redacted.make(cloneFrom)),
      misspelt,
    }
  })
