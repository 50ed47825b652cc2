import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inspect } from "node:util"
import { GENESIS_HASH } from "@launch-registry/chain/rpc/Network"
import { BUILDER_PROGRAMS } from "@launch-registry/chain/submissions/BuilderPrograms"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { expect } from "vitest"
import { misspeltSettings } from "../src/MisspeltSettings.ts"
import { readSettings, SETTING_NAMES } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

type Environment = Readonly<Record<string, string>>

const KEY = "CANARY-of-at-least-thirty-two-characters"
const WALLET = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
const OWN_HASH = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
const LOCALNET = { RPC_URL: "http://127.0.0.1:8899" }
const REPLICA = "postgres://u:p@a,b/registry"
const FILEBASE = { IPFS_KEY: "CANARY", IPFS_SECRET: "CANARY", IPFS_BUCKET: "uploads" }
const W3UP = { IPFS_KEY: "k", IPFS_SECRET: "p" }
const GATEWAY = { IPFS_GATEWAY_URL: "https://gateway.example/ipfs" }
const INTENTS_URL = "http://127.0.0.1:8080/behind/a/path/"
const OTLP = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" }

/** Settings with their secrets, and without `Option`. */
const plain = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return Redacted.value(value)
  if (Option.isOption(value)) return plain(Option.getOrUndefined(value))
  if (value instanceof Set) return [...value]
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
    : value
}

/** Everything that can be set beside each other. */
const EVERYTHING = {
  ...{ ...PRODUCTION, ...FILEBASE, ...OTLP, PORT: "8080", LOG_LEVEL: "warn", TRADING_REQUIRES_WHITELIST: "true" },
  ...{
    PUBLIC_URL: "https://api.example/registry/",
    RPC_BACKUP_URL: `${PRODUCTION.RPC_BACKUP_URL}, https://two.example`,
  },
  ...{ HELIUS_WEBHOOK_SECRET: `${KEY}, ${KEY}2`, INDEXER_RECONCILE_SECONDS: "30", INDEXER_POOL_REQUESTS: "20" },
  ...{ WRITE_AUTH: "api-key, wallet", ADMIN_WALLETS: WALLET, ADMIN_KEY: `${KEY}, ${KEY}2`, AUDIT_RETENTION_DAYS: "30" },
  ...{ CORS_ORIGINS: "https://app.example, http://localhost:5173", PRIORITY_FEE_MAX_LAMPORTS: "250000" },
  ...{ TRUSTED_PROXIES: "10.0.0.0/8, ::1", RATE_LIMIT_REQUESTS: "600" },
  ...{ WRITES_PER_DAY: "5", STORED_MEGABYTES_MAX: "8", MIGRATE: "false" },
  ...{ SHUTDOWN_DELAY_SECONDS: "0", INBOX_KEEP_DAYS: "0", DEAD_LETTERS_KEEP_DAYS: "30" },
  ...{ UPLOADS_KEEP_DAYS: "2", SUBMIT_PROGRAMS: `builders, ${MEMO}`, NOTIFICATIONS_SECRET: KEY, TRADES_KEEP_DAYS: "8" },
  ...{ HISTORY_URL: "https://reader:CANARY%2F1@clickhouse.example:8443/history", DATABASE_READ_URL: REPLICA },
  ...{ PRICE_URL: "https://prices.example/v3?token=CANARY", PRICE_API_KEY: "CANARY" },
  FETCH_METADATA: "https://one.example/ipfs/, https://two.example/ipfs",
  ...{ INTENTS_URL, INTENTS_API_KEY: "CANARY.a-b_c~!", INTENTS_REQUESTS_PER_SECOND: "12" },
  ...{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", TRACEPARENT_TRUSTED: "false", OTEL_TRACES_SAMPLER_ARG: "0.05" },
  OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20CANARY, x-scope = team,",
  OTEL_RESOURCE_ATTRIBUTES: "service.name=named,host.name=a%2Cb",
}

const SHOWN = {
  ...{ host: "0.0.0.0", port: 8080, network: "mainnet", logLevel: "Warn", tradingRequiresWhitelist: true },
  ...{
    gatewayUrl: "https://api.example/registry/ipfs",
    databaseUrl: PRODUCTION.DATABASE_URL,
    databaseReadUrl: REPLICA,
  },
  rpcUrls: [PRODUCTION.RPC_URL, PRODUCTION.RPC_BACKUP_URL, "https://two.example"],
  ...{ genesisHash: GENESIS_HASH.mainnet, priorityFeeMaxLamports: 250_000n },
  indexer: { source: "webhook", webhookSecrets: [KEY, `${KEY}2`], reconcileSeconds: 30, poolRequests: 20 },
  access: {
    ...{ writeAuth: ["api-key", "wallet"], adminKeys: [KEY, `${KEY}2`], adminWallets: [WALLET], auditDays: 30 },
    corsOrigins: ["https://app.example", "http://localhost:5173"],
    writingOrigins: ["https://app.example", "http://localhost:5173", "https://api.example"],
    site: { domain: "api.example", uri: "https://api.example/registry", chainId: "mainnet" },
  },
  limits: {
    rate: { requests: 600, windowMillis: 60_000 },
    writes: { writesPerDay: 5, storedBytes: 8_388_608 },
    addresses: { trustedProxies: ["10.0.0.0/8", "::1"] },
  },
  lifecycle: {
    ...{ isMigrating: false, shutdownDelaySeconds: 0, uploadsKeptDays: 2 },
    // 0 keeps for ever.
    retention: { inboxDays: undefined, deadLetterDays: 30, tradesDays: 8 },
  },
  submissions: { programs: expect.arrayContaining([...BUILDER_PROGRAMS, MEMO]) },
  ipfs: {
    order: ["filebase", "embedded"],
    filebase: { endpoint: "https://s3.filebase.com", bucket: "uploads", secret: "CANARY" },
  },
  history: { origin: "https://clickhouse.example:8443", user: "reader", password: "CANARY/1", database: "history" },
  prices: { url: "https://prices.example/v3?token=CANARY", apiKey: "CANARY" },
  bridge: {
    ...{ url: "http://127.0.0.1:8080/behind/a/path", apiKey: "CANARY.a-b_c~!" },
    rates: {
      watch: { perSecond: expect.closeTo(2), burst: expect.closeTo(2) },
      quote: { perSecond: expect.closeTo(10), burst: expect.closeTo(20) },
    },
  },
  notifications: { masterSecrets: [KEY], allowsPrivate: false },
  metadata: { gateways: ["https://one.example/ipfs", "https://two.example/ipfs"], allowsPrivate: false },
  telemetry: {
    ...{ protocol: "http/json", isCallerTrusted: false, recordedShare: 0.05, serviceName: "named" },
    ...{ headers: { authorization: "Basic CANARY", "x-scope": "team" }, attributes: { "host.name": "a,b" } },
    ...{ tracesUrl: "http://collector:4318/v1/traces", metricsUrl: "http://collector:4318/v1/metrics" },
  },
}

const LOCAL = {
  ...{ runMode: "local", role: "all", port: 3001, host: "127.0.0.1", network: "localnet", logLevel: "Info" },
  ...{ gatewayUrl: "http://localhost:3001/ipfs", tradingRequiresWhitelist: false, rpcUrls: [] },
  ...{ databaseUrl: undefined, localChainPort: undefined, submissions: { programs: undefined } },
  lifecycle: {
    ...{ isMigrating: true, shutdownDelaySeconds: 0, uploadsKeptDays: undefined },
    retention: { inboxDays: undefined, deadLetterDays: undefined, tradesDays: undefined },
  },
  // That all may read does not say that all may write.
  access: { writeAuth: [], adminKeys: [], adminWallets: [], auditDays: 365, writingOrigins: ["http://localhost:3001"] },
  ipfs: { order: ["embedded"] },
  indexer: { source: "poll", webhookSecrets: [], reconcileSeconds: undefined },
}

/** What is set, and what of it is read. */
const READ: ReadonlyArray<readonly [environment: Environment, settings: object]> = [
  [{}, LOCAL],
  [EVERYTHING, SHOWN],
  [PRODUCTION, { indexer: { source: "off" }, lifecycle: { shutdownDelaySeconds: 5 } }],
  [{ ...LOCALNET, RPC_GENESIS_HASH: "any" }, { genesisHash: "any" }],
  [{ ...LOCALNET, RPC_GENESIS_HASH: OWN_HASH }, { genesisHash: OWN_HASH }],
  [{ LOCAL_CHAIN_PORT: "8900" }, { localChainPort: 8900 }],
  [{}, { cloneProgramsUrl: "https://api.mainnet-beta.solana.com" }],
  [{ CLONE_PROGRAMS: "off" }, { cloneProgramsUrl: undefined }],
  [
    { CLONE_PROGRAMS: "https://rpc.example/?api-key=CANARY" },
    { cloneProgramsUrl: "https://rpc.example/?api-key=CANARY" },
  ],
  [{ HELIUS_WEBHOOK_SECRET: KEY, INDEXER_SOURCE: "poll" }, { indexer: { source: "poll" } }],
  [{ WRITE_AUTH: "wallet", PORT: "8080" }, { access: { site: { domain: "localhost:8080" } } }],
  [{ WRITE_AUTH: "off", CORS_ORIGINS: "*" }, { access: { writeAuth: [], writingOrigins: "all" } }],
  [{ FETCH_METADATA: "off" }, { metadata: undefined }],
  [
    { ...PRODUCTION, FETCH_METADATA: "on" },
    { metadata: { gateways: expect.arrayContaining(["https://ipfs.io/ipfs"]), allowsPrivate: false } },
  ],
  [{ FETCH_METADATA: "http://127.0.0.1:8080/ipfs" }, { metadata: { allowsPrivate: true } }],
  [{ ADMIN_KEY: KEY, NOTIFICATIONS_SECRET: KEY }, { notifications: { allowsPrivate: true } }],
  [{ ...PRODUCTION, WRITE_AUTH: "api-key", NOTIFICATIONS_SECRET: KEY }, { notifications: { masterSecrets: [KEY] } }],
  [{ ...PRODUCTION, WRITE_AUTH: "wallet", NOTIFICATIONS_SECRET: KEY }, { notifications: { masterSecrets: [KEY] } }],
  [
    { INTENTS_URL, INTENTS_REQUESTS_PER_SECOND: "0.6" },
    { bridge: { rates: { watch: { burst: 1 }, quote: { burst: 1 } } } },
  ],
  [{ ...PRODUCTION, DATABASE_URL: "postgresql:///registry?host=/run/postgresql&user=somebody" }, {}],
  [{ ...PRODUCTION, PUBLIC_URL: "HTTPS://Api.example" }, {}],
  [{ ...PRODUCTION, ...GATEWAY, PUBLIC_URL: "http://api.internal/" }, { publicUrl: "http://api.internal" }],
  [{ IPFS_GATEWAY_URL: "http://localhost:3001/ipfs" }, { gatewayUrl: "http://localhost:3001/ipfs" }],
  [{ ...FILEBASE, IPFS_BACKEND: "embedded,filebase" }, { ipfs: { order: ["embedded", "filebase"] } }],
  [{ ...W3UP, IPFS_BACKEND: "w3up,embedded" }, { ipfs: { order: ["w3up", "embedded"] } }],
  [{ ...FILEBASE, ...GATEWAY, IPFS_BACKEND: " filebase " }, { ipfs: { order: ["filebase"] } }],
  [
    { ...PRODUCTION, ...OTLP },
    {
      telemetry: {
        ...{ protocol: "http/protobuf", headers: {}, attributes: {}, recordedShare: 1, isCallerTrusted: true },
        serviceName: "token-launch-registry",
      },
    },
  ],
]

describe("Settings", () => {
  it.effect("are read, and nothing that is printed has a secret", () =>
    Effect.gen(function* () {
      for (const [environment, expected] of READ) {
        const settings = yield* readSettings(environment)
        assert.notInclude(inspect(settings, { depth: 20 }), "CANARY")
        expect(plain(settings), JSON.stringify(environment)).toMatchObject(expected)
      }
    }),
  )

  it.effect("switch off what is not set", () =>
    Effect.gen(function* () {
      // What a platform sets for all that runs on it.
      const ofPlatform = { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_TRACES_SAMPLER: "jaeger_remote" }
      for (const environment of [{}, { ...PRODUCTION, ...ofPlatform, OTEL_RESOURCE_ATTRIBUTES: "service.name=x" }]) {
        const settings = yield* readSettings(environment)
        for (const part of ["history", "prices", "bridge", "telemetry", "notifications", "databaseReadUrl"] as const)
          assert.isTrue(Option.isNone(settings[part] as Option.Option<unknown>), part)
        assert.deepStrictEqual(settings.limits, { addresses: {} })
        assert.isUndefined(settings.access.corsOrigins)
      }
      const exported = yield* readSettings({ ...PRODUCTION, ...OTLP, OTEL_METRICS_EXPORTER: "none" })
      assert.notProperty(Option.getOrThrow(exported.telemetry), "metricsUrl")
      assert.isUndefined(Option.getOrThrow((yield* readSettings({ INTENTS_URL })).bridge).rates)
    }),
  )

  it.effect("define the presets of launchpads, validated as configurations", () =>
    Effect.gen(function* () {
      const said = { launchpad_a: { dbcConfig: { feeClaimer: WALLET, baseFeeParams: { baseFeeMode: 1 } } } }
      const { launchpads } = yield* readSettings({ LAUNCHPADS: JSON.stringify(said) })
      assert.strictEqual(launchpads.launchpad_a.config.feeClaimer, WALLET)
      assert.deepInclude(launchpads.launchpad_a.config.baseFeeParams, { baseFeeMode: 1 })
      assert.deepInclude(launchpads.launchpad_a.config.baseFeeParams.feeSchedulerParam, { startingFeeBps: 100 })
      assert.isUndefined(launchpads.launchpad_b.config.feeClaimer)
      const buildCurveParam = { initialMarketCap: "5000", migrationMarketCap: "70000" }
      const inUsdc = JSON.stringify({ launchpad_a: { quoteMint: USDC, dbcConfig: { buildCurveParam } } })
      const { launchpads: own } = yield* readSettings({ LAUNCHPADS: inUsdc })
      assert.deepInclude(own.launchpad_a.config, { buildCurveParam })
    }),
  )

  it.effect("can come from files", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "url")
      writeFileSync(file, `${PRODUCTION.DATABASE_URL}\n`)
      const { DATABASE_URL, ...rest } = PRODUCTION
      const settings = yield* readSettings({ ...rest, DATABASE_URL_FILE: file })
      assert.strictEqual(Redacted.value(Option.getOrThrow(settings.databaseUrl)), DATABASE_URL)
    }).pipe(Effect.scoped),
  )

  it.effect("that are likely misspelt are reported by name, and nothing else is", () =>
    Effect.gen(function* () {
      const misspelt = {
        ...{ DATABSE_URL: "CANARY", INTENTS_KEY: "CANARY", RPC_BACKUP_URL_FIEL: "CANARY", Log_Level: "CANARY" },
        ...{ HELIUS_WEBHOOK_SECRETS_FILE: "CANARY", Port: "CANARY", IPFS_ANYTHING: "CANARY" },
        ...{ RATE_LIMIT_WINDOW_SECONDS: "CANARY", RECORDS_PER_DAY: "CANARY", LISTS_MEGABYTES_MAX: "CANARY" },
        ...{ OTEL_LOGS_EXPORTER: "CANARY", OTEL_RESOURCE_ATRIBUTES: "CANARY" },
      }
      const innocent = {
        ...{ HOME: "x", PATH: "x", HOSTNAME: "x", NODE_ENV: "x", PGHOST: "x", DATABASE_HOST: "x", POSTGRES_URL: "x" },
        ...{ IPFS_EMPTY: "", KUBERNETES_PORT: "x", npm_config_registry: "x", LOGNAME: "x", NO_PROXY: "x" },
        // Variables of a Kubernetes namespace with services of these names, of Kubo, and others.
        ...{ RPC_SERVICE_HOST: "x", RPC_SERVICE_PORT: "x", RPC_SERVICE_PORT_HTTP: "x", RPC_PORT: "x", IPFS_PORT: "x" },
        ...{ RPC_PORT_8899_TCP: "x", RPC_PORT_8899_TCP_ADDR: "x", INDEXER_PORT: "x", LAUNCHPAD_SERVICE_PORT: "x" },
        ...{ IPFS_PATH: "x", IPFS_LOGGING: "x", IPFS_TELEMETRY: "x", POST: "x", ROLES: "x", HOSTS: "x", SPORT: "x" },
      }
      const settings = yield* readSettings({ ...PRODUCTION, ...OTLP, ...misspelt, ...innocent })
      assert.sameMembers(
        settings.misspelt.map((text) => text.split(" ")[0]!),
        Object.keys(misspelt),
      )
      assert.include(settings.misspelt, "DATABSE_URL is not a setting; did you mean DATABASE_URL?")
      assert.notInclude(settings.misspelt.join(), "CANARY")
      assert.deepStrictEqual((yield* readSettings(PRODUCTION)).misspelt, [])
      // A warning next to other errors, and not an error itself.
      const wrong = yield* Effect.flip(readSettings({ ...PRODUCTION, ROLE: "x", DATABSE_URL: "CANARY" }))
      assert.deepStrictEqual(wrong.message.split("\n"), [
        "Invalid settings:",
        "  - ROLE: expected all, api, indexer",
        "Warning: DATABSE_URL is not a setting; did you mean DATABASE_URL?",
      ])
    }),
  )

  it("are those of .env.example and docs/operations.md, and no others are read", () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
    const shown = [...read("../../../.env.example").matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name!)
    assert.sameMembers([...new Set(shown)], [...SETTING_NAMES])
    const tables = read("../../../docs/operations.md")
      .match(/^\| .*/gm)!
      .join("\n")
    for (const name of SETTING_NAMES) assert.include(tables, `\`${name}\``)
    for (const [, name] of tables.matchAll(/^\| (?:`[A-Z0-9_]+`, )*`([A-Z][A-Z0-9_]*)`/gm))
      assert.include(SETTING_NAMES, name)
    const documents = readdirSync(new URL("../../../docs/", import.meta.url)).filter((name) => name.endsWith(".md"))
    const texts = [...documents.map((name) => `docs/${name}`), "README.md", "CONTRIBUTING.md", "SECURITY.md"]
    for (const file of texts) {
      const words = read(`../../../${file}`).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []
      const unknown = misspeltSettings(Object.fromEntries(words.map((word) => [word, "named"])), SETTING_NAMES)
      assert.deepStrictEqual(unknown, [], file)
    }
    const folder = new URL("../src/", import.meta.url)
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    ))
      for (const [, name] of read(`../src/${file}`).matchAll(/\bvalues\.([A-Z][A-Z0-9_]*)/g))
        assert.include(SETTING_NAMES, name, file)
  })
})
