import { assert, describe, it } from "@effect/vitest"
import { BUILDER_PROGRAMS } from "@launch-registry/chain/submissions/BuilderPrograms"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

type Environment = Readonly<Record<string, string>>

const KEY = "CANARY-of-at-least-thirty-two-characters"
const WALLET = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
const CREDENTIALS = { IPFS_KEY: "CANARY", IPFS_SECRET: "CANARY", IPFS_BUCKET: "uploads" }

/** What production has, and shows nowhere that is printed. */
const inProduction = Effect.fnUntraced(function* (environment: Environment) {
  const settings = yield* readSettings({ ...PRODUCTION, ...environment })
  assert.notInclude(JSON.stringify(settings), "CANARY")
  return settings
})

describe("Settings", () => {
  it.effect("switch off what is not set", () =>
    Effect.gen(function* () {
      for (const settings of [yield* readSettings({}), yield* readSettings(PRODUCTION)])
        for (const part of ["history", "prices", "bridge", "telemetry", "notifications", "databaseReadUrl"] as const)
          assert.isTrue(Option.isNone(settings[part] as Option.Option<unknown>), part)
      const { access, ipfs, limits, lifecycle, localChainPort, submissions } = yield* readSettings({})
      assert.deepStrictEqual([localChainPort, submissions], [Option.none(), { programs: undefined }])
      assert.deepStrictEqual([limits, ipfs.order], [{ http: {}, addresses: {} }, ["embedded"]])
      assert.deepStrictEqual(lifecycle, {
        ...{ isMigrating: true, shutdownDelaySeconds: 0, isPooled: false, uploadsKeptDays: undefined },
        retention: { inboxDays: undefined, deadLetterDays: undefined, tradesDays: undefined },
      })
      assert.strictEqual((yield* readSettings(PRODUCTION)).lifecycle.shutdownDelaySeconds, 5)
      assert.deepInclude(access, { writeAuth: [], adminKeys: [], adminWallets: [], auditDays: 365 })
      assert.isUndefined(access.corsOrigins)
      // That all may read does not say that all may write.
      assert.deepStrictEqual(access.writingOrigins, ["http://localhost:3001"])
      const open = yield* readSettings({ WRITE_AUTH: "off", CORS_ORIGINS: "*" })
      assert.deepInclude(open.access, { writeAuth: [], writingOrigins: "all" })
    }),
  )

  it.effect("name modes, admins, the site that wallets sign for, and origins", () =>
    Effect.gen(function* () {
      const { access } = yield* inProduction({
        ...{ PUBLIC_URL: "https://api.example/registry/", WRITE_AUTH: "api-key, wallet", ADMIN_WALLETS: WALLET },
        ...{ ADMIN_KEY: `${KEY}, ${KEY}2`, AUDIT_RETENTION_DAYS: "30" },
        CORS_ORIGINS: "https://app.example, http://localhost:5173",
      })
      const corsOrigins = ["https://app.example", "http://localhost:5173"]
      assert.deepInclude(access, {
        ...{ writeAuth: ["api-key", "wallet"], adminWallets: [WALLET], auditDays: 30, corsOrigins },
        writingOrigins: [...corsOrigins, "https://api.example"],
        site: { domain: "api.example", uri: "https://api.example/registry", chainId: "mainnet" },
      })
      assert.deepStrictEqual(access.adminKeys.map(Redacted.value), [KEY, `${KEY}2`])
      const local = yield* readSettings({ WRITE_AUTH: "wallet", PORT: "8080" })
      assert.strictEqual(local.access.site.domain, "localhost:8080")
    }),
  )

  it.effect("are read, limits and days of retention; 0 keeps for ever", () =>
    Effect.gen(function* () {
      const { lifecycle, limits, submissions } = yield* inProduction({
        ...{ KEEP_ALIVE_SECONDS: "620", TRUSTED_PROXIES: "10.0.0.0/8, ::1", RATE_LIMIT_REQUESTS: "600" },
        ...{ WRITES_PER_DAY: "5", UPLOAD_MEGABYTES_PER_DAY: "6", STORED_MEGABYTES_MAX: "8" },
        ...{ MIGRATE: "false", SHUTDOWN_DELAY_SECONDS: "0", DATABASE_POOLED: "true", INBOX_KEEP_DAYS: "30" },
        ...{ DEAD_LETTERS_KEEP_DAYS: "0", UPLOADS_KEEP_DAYS: "2" },
        SUBMIT_PROGRAMS: `builders, ${MEMO}`,
      })
      assert.deepStrictEqual(limits, {
        rate: { requests: 600, windowMillis: 60_000 },
        writes: { uploadsPerDay: 5, uploadBytesPerDay: 6_291_456, recordsPerDay: 5, storedBytes: 8_388_608 },
        http: { keepAliveMillis: 620_000 },
        addresses: { trustedProxies: ["10.0.0.0/8", "::1"] },
      })
      assert.deepStrictEqual(lifecycle, {
        ...{ isMigrating: false, shutdownDelaySeconds: 0, isPooled: true, uploadsKeptDays: 2 },
        retention: { inboxDays: 30, deadLetterDays: undefined, tradesDays: undefined },
      })
      assert.sameMembers([...submissions.programs!], [...BUILDER_PROGRAMS, MEMO])
      const local = yield* readSettings({ LOCAL_CHAIN_PORT: "8900", PRIORITY_FEE_MAX_LAMPORTS: "250000" })
      assert.deepStrictEqual(local.localChainPort, Option.some(8900))
      assert.deepStrictEqual(local.priorityFeeMaxLamports, Option.some(250_000n))
    }),
  )

  it.effect("of other services are read, and their credentials are secret", () =>
    Effect.gen(function* () {
      const HISTORY_URL = "https://reader:CANARY%2F1@clickhouse.example:8443/history"
      const priceUrl = "https://prices.example/v3?token=CANARY"
      const settings = yield* inProduction({
        ...{ HISTORY_URL, TRADES_KEEP_DAYS: "8", INBOX_KEEP_DAYS: "0", PRICE_URL: priceUrl, PRICE_API_KEY: "CANARY" },
        ...{ INTENTS_URL: "http://127.0.0.1:8080/behind/a/path/", INTENTS_API_KEY: "CANARY.a-b_c~!" },
        ...{ ADMIN_KEY: KEY, NOTIFICATIONS_SECRET: KEY },
      })
      const history = Option.getOrThrow(settings.history)
      assert.deepInclude(history, { origin: "https://clickhouse.example:8443", user: "reader", database: "history" })
      assert.strictEqual(Redacted.value(history.password), "CANARY/1")
      assert.strictEqual(settings.lifecycle.retention.tradesDays, 8)
      const prices = Option.getOrThrow(settings.prices)
      assert.deepStrictEqual([Redacted.value(prices.url), Redacted.value(prices.apiKey!)], [priceUrl, "CANARY"])
      const bridge = Option.getOrThrow(settings.bridge)
      assert.strictEqual(bridge.url, "http://127.0.0.1:8080/behind/a/path")
      assert.strictEqual(Redacted.value(bridge.apiKey!), "CANARY.a-b_c~!")
      const { masterSecrets, ...others } = Option.getOrThrow(settings.notifications)
      assert.deepStrictEqual([masterSecrets.map(Redacted.value), others], [[KEY], { allowsPrivate: false }])
      const local = yield* readSettings({ ADMIN_KEY: KEY, NOTIFICATIONS_SECRET: KEY })
      assert.isTrue(Option.getOrThrow(local.notifications).allowsPrivate)
      for (const WRITE_AUTH of ["api-key", "wallet"]) {
        const { notifications } = yield* inProduction({ WRITE_AUTH, NOTIFICATIONS_SECRET: KEY })
        assert.isTrue(Option.isSome(notifications))
      }
      for (const url of ["postgres://u:p@a,b/registry", "postgresql://u:p@c:5433/registry?sslmode=disable"]) {
        const { databaseReadUrl } = yield* inProduction({ DATABASE_READ_URL: url })
        assert.strictEqual(Redacted.value(Option.getOrThrow(databaseReadUrl)), url)
      }
    }),
  )

  it.effect("of databases and of this service take every form of a URL that works", () =>
    Effect.gen(function* () {
      yield* inProduction({ DATABASE_URL: "postgresql:///registry?host=/run/postgresql&user=somebody" })
      yield* inProduction({ PUBLIC_URL: "HTTPS://Api.example" })
      const gateway = { IPFS_GATEWAY_URL: "https://gateway.example/ipfs" }
      const { publicUrl } = yield* inProduction({ ...gateway, PUBLIC_URL: "http://api.internal/" })
      assert.deepStrictEqual(publicUrl, Option.some("http://api.internal"))
      for (const url of ["https://x.example/ipfs", "http://localhost:3001/ipfs"])
        assert.strictEqual((yield* readSettings({ IPFS_GATEWAY_URL: url })).gatewayUrl, url)
      const { PUBLIC_URL: _, ...noUrl } = PRODUCTION
      yield* readSettings({ ...noUrl, ROLE: "indexer" })
    }),
  )

  it.effect("of uploads keep them in the database, or send them to any backends in order", () =>
    Effect.gen(function* () {
      const { ipfs } = yield* inProduction(CREDENTIALS)
      assert.deepStrictEqual(ipfs.order, ["filebase", "embedded"])
      assert.deepInclude(ipfs.filebase, { endpoint: "https://s3.filebase.com", bucket: "uploads" })
      assert.strictEqual(Redacted.value(ipfs.filebase!.secret), "CANARY")
      const w3up = { IPFS_W3UP_KEY: "k", IPFS_W3UP_PROOF: "p" }
      const gateway = { IPFS_GATEWAY_URL: "https://ipfs.filebase.io/ipfs" }
      for (const [order, beside] of [
        ["embedded", {}],
        ["embedded,filebase", CREDENTIALS],
        ["w3up,embedded", w3up],
        [" filebase , w3up,embedded ", { ...CREDENTIALS, ...w3up }],
        ["filebase", { ...CREDENTIALS, ...gateway }],
      ] as const) {
        const read = yield* readSettings({ ...beside, IPFS_BACKEND: order })
        assert.strictEqual(read.ipfs.order.join(), order.replaceAll(" ", ""))
      }
    }),
  )

  it.effect("of OpenTelemetry are its own variables, with its defaults", () =>
    Effect.gen(function* () {
      const telemetryOf = (environment: Environment) =>
        Effect.map(inProduction(environment), ({ telemetry }) => Option.getOrUndefined(telemetry))
      const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" }
      for (const environment of [
        { OTEL_RESOURCE_ATTRIBUTES: "service.name=x", OTEL_METRICS_EXPORTER: "otlp" },
        // What a platform sets for all that runs on it.
        { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_METRICS_EXPORTER: "console", OTEL_TRACES_SAMPLER: "jaeger_remote" },
      ])
        assert.isUndefined(yield* telemetryOf(environment))
      assert.deepStrictEqual(yield* telemetryOf(endpoint), {
        ...{ protocol: "http/protobuf", headers: {}, attributes: {}, recordedShare: 1, isCallerTrusted: true },
        ...{ tracesUrl: "http://collector:4318/v1/traces", metricsUrl: "http://collector:4318/v1/metrics" },
        serviceName: "token-launch-registry",
      })
      const { headers, ...others } = (yield* telemetryOf({
        ...{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", TRACEPARENT_TRUSTED: "false" },
        OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20CANARY, x-scope = team,",
        ...{ OTEL_RESOURCE_ATTRIBUTES: "service.name=named,host.name=a%2Cb", OTEL_TRACES_SAMPLER_ARG: "0.05" },
        OTEL_METRICS_EXPORTER: "none",
      }))!
      const values = Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)])
      assert.deepStrictEqual(Object.fromEntries(values), { authorization: "Basic CANARY", "x-scope": "team" })
      assert.deepInclude(others, { protocol: "http/json", isCallerTrusted: false, serviceName: "named" })
      assert.deepInclude(others, { recordedShare: 0.05, attributes: { "host.name": "a,b" } })
      assert.notProperty(others, "metricsUrl")
      const { misspelt } = yield* inProduction({ OTEL_LOGS_EXPORTER: "otlp", OTEL_RESOURCE_ATRIBUTES: "x" })
      assert.match(misspelt[0]!, /^OTEL_LOGS_EXPORTER is not a setting/)
      assert.include(misspelt, "OTEL_RESOURCE_ATRIBUTES is not a setting; did you mean OTEL_RESOURCE_ATTRIBUTES?")
    }),
  )
})
