import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { LIMIT_NAMES } from "../src/LimitSettings.ts"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

type Environment = Readonly<Record<string, string>>

const KEY = "CANARY-of-at-least-thirty-two-characters"
const WALLET = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const { PUBLIC_URL: _, ...NO_URL } = PRODUCTION
const BACKEND = { IPFS_KEY: "CANARY", IPFS_SECRET: "CANARY", IPFS_BUCKET: "uploads" }
const INTENTS = { INTENTS_URL: "https://swaps.example" }
const OTLP = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" }
const HISTORY = { HISTORY_URL: "https://reader:password@clickhouse.example:8443/history" }
const LOCALNET = { RPC_URL: "http://127.0.0.1:8899" }
const NOTIFYING = { ...PRODUCTION, NOTIFICATIONS_SECRET: KEY }
const REPLICA = "postgres://u:CANARY@a/b"

/** The settings beside it, the setting, and each value of it that is refused alone. */
const WRONG: ReadonlyArray<readonly [beside: Environment, name: string, ...values: ReadonlyArray<string>]> = [
  [{}, "PRIORITY_FEE_MAX_LAMPORTS", "-1", "0.5", "high", "1000000001"],
  [{}, "ROLE", "everything"],
  [{ ROLE: "api" }, "RPC_URL", ""],
  [{ ...LOCALNET, RPC_GENESIS_HASH: "any" }, "LOCAL_CHAIN_PORT", "8899"],
  [{}, "LOCAL_CHAIN_PORT", "70000"],
  [{}, "CLONE_PROGRAMS", "on", "rpc.example/CANARY", "ftp://CANARY.example", "https://rpc.example/ CANARY"],
  [PRODUCTION, "CLONE_PROGRAMS", "https://rpc.example/?api-key=CANARY"],
  [PRODUCTION, "RPC_BACKUP_URL", "https://one.example,", "https://one.example two"],
  [LOCALNET, "RPC_GENESIS_HASH", "", "short"],
  [PRODUCTION, "RPC_GENESIS_HASH", "any"],
  [{}, "HELIUS_WEBHOOK_SECRET", "CANARY", `${KEY},${KEY},${KEY}`],
  [{}, "INDEXER_SOURCE", "carrier pigeon"],
  [{}, "INDEXER_RECONCILE_SECONDS", "0", "1.5"],
  [{}, "INDEXER_POOL_REQUESTS", "0"],
  [PRODUCTION, "PUBLIC_URL", "nonsense", "ftp://api.example", "https://user:CANARY@api.example", "http://["],
  [PRODUCTION, "PUBLIC_URL", "https://a.example/?b", "https://a.example/?", "https:a.example", "http://:::"],
  [
    { ...PRODUCTION, IPFS_GATEWAY_URL: "https://gateway.example/ipfs" },
    "PUBLIC_URL",
    ...["nonsense", "http://api.example:99999"],
  ],
  [{ ...NO_URL, IPFS_GATEWAY_URL: "https://ipfs.example", WRITE_AUTH: "wallet" }, "PUBLIC_URL", ""],
  [{}, "PUBLIC_URL", "http://192.168.1.5:3001", "https://x.example/ipfs?token=1", "x.example"],
  [{}, "IPFS_GATEWAY_URL", "http://192.168.1.5:3001", "https://u:p@x.example", "https://x.example/ipfs?token=1"],
  [PRODUCTION, "DATABASE_URL", "CANARY", "postgres://somebody:CAN%zzARY@db/registry"],
  [PRODUCTION, "DATABASE_URL", "postgres://somebody@db:0/registry?password=CANARY"],
  [PRODUCTION, "DATABASE_URL", "postgres://somebody@db/registry?sslmode=CANARY"],
  [PRODUCTION, "DATABASE_URL", "postgres://somebody@db/registry%00?password=CANARY"],
  [PRODUCTION, "DATABASE_READ_URL", "https://CANARY@a/b", "CANARY", "postgres://u:CANARY@a:port/b"],
  [PRODUCTION, "DATABASE_READ_URL", `${REPLICA} ${REPLICA}`, `${REPLICA}\n${REPLICA}`],
  [{}, "DATABASE_READ_URL", REPLICA],
  [{}, "WRITE_AUTH", "on", "off,wallet", "api-key,"],
  [{}, "ADMIN_KEY", "CANARY", `${KEY} ${KEY}`, `${KEY},${KEY},${KEY}`],
  [{ WRITE_AUTH: "wallet" }, "ADMIN_WALLETS", "CANARY"],
  [{}, "ADMIN_WALLETS", WALLET],
  [{}, "AUDIT_RETENTION_DAYS", "0", "4000"],
  [{}, "CORS_ORIGINS", "https://app.example/", "app.example", "https://app.example,*"],
  [PRODUCTION, "HISTORY_URL", "clickhouse://u:CANARY@host/db", "http://host:8123/CANARY", "http://u:CANARY@host:8123"],
  [{ ...PRODUCTION, ...HISTORY }, "TRADES_KEEP_DAYS", "7", "8.5", "-1", "36501"],
  [{}, "MIGRATE", "false"],
  [PRODUCTION, "PRICE_URL", "prices.example", "ftp://prices.example", "https://user:CANARY@prices.example"],
  [PRODUCTION, "PRICE_URL", "https://prices.example/?ids=CANARY"],
  [{ ...PRODUCTION, PRICE_URL: "https://prices.example/" }, "PRICE_API_KEY", "CANARY\n"],
  [PRODUCTION, "PRICE_API_KEY", "CANARY"],
  [PRODUCTION, "SUBMIT_PROGRAMS", "everything"],
  [{ ...PRODUCTION, ...OTLP }, "OTEL_EXPORTER_OTLP_HEADERS", "x-a=line%0Abreak", "x a=1"],
  [BACKEND, "IPFS_BACKEND", "s3", "embedded,embedded", "filebase,", "FILEBASE", "embedded"],
  [BACKEND, "IPFS_BUCKET", "No Bucket"],
  [BACKEND, "IPFS_ENDPOINT", "http://s3.example.com", "s3.example.com", "https://u:p@s3.example.com", "https://s3/?x"],
  [{}, "INTENTS_URL", "https://CANARY@swaps.example", "https://swaps.example/?a=b", "https://swaps.example/#a"],
  [{}, "INTENTS_URL", "https://me:CANARY@swaps.example", "https://swaps.example?", "https://swaps.example/a#"],
  [INTENTS, "INTENTS_API_KEY", "CANARY\u00e9", "CANARY key", "CANARY\u0001", "CANARY\nkey", "CANARY\u{1f511}"],
  [{}, "INTENTS_API_KEY", "CANARY"],
  [INTENTS, "INTENTS_REQUESTS_PER_SECOND", "0", "0.000", "-1", "many", "1e3", "1001", "Infinity", "2/s", " "],
  [{}, "INTENTS_REQUESTS_PER_SECOND", "5"],
  [INTENTS, "INTENTS_QUOTE_KEY", "ed25519:short", "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"],
  [
    PRODUCTION,
    "FETCH_METADATA",
    "true",
    "http://127.0.0.1:8080/ipfs",
    "https://u:CANARY@one.example",
    "https://one.example,",
  ],
  [{}, "FETCH_METADATA", "http://gateway.example/ipfs", "https://one.example/?a"],
  [PRODUCTION, "NOTIFICATIONS_SECRET", KEY],
  [{ ...NOTIFYING, ADMIN_KEY: KEY }, "NOTIFICATIONS_SECRET", "CANARY", `${KEY},${KEY},${KEY}`],
]

/** Settings of which several are refused: those that are named, or all that are set. */
const TOGETHER: ReadonlyArray<readonly [Environment, named: ReadonlyArray<string>]> = [
  [{ RUN_MODE: "production" }, ["DATABASE_URL", "RPC_URL", "NETWORK", "PUBLIC_URL"]],
  [{ INDEXER_SOURCE: "webhook" }, ["HELIUS_WEBHOOK_SECRET"]],
  [{ ...PRODUCTION, TRADES_KEEP_DAYS: "30", INBOX_KEEP_DAYS: "9" }, ["HISTORY_URL", "INBOX_KEEP_DAYS"]],
  [{ IPFS_BACKEND: "filebase,embedded" }, ["IPFS_KEY", "IPFS_SECRET", "IPFS_BUCKET"]],
  [{ IPFS_BACKEND: "w3up,embedded", IPFS_BUCKET: "uploads" }, ["IPFS_BUCKET", "IPFS_KEY", "IPFS_SECRET"]],
  [{ IPFS_BACKEND: "filebase,w3up,embedded" }, ["IPFS_BACKEND"]],
  [{ ...BACKEND, IPFS_BACKEND: "filebase" }, ["IPFS_GATEWAY_URL"]],
  [{ IPFS_ENDPOINT: "https://s3.example" }, ["IPFS_ENDPOINT"]],
  [
    {
      ...{ TRUSTED_PROXIES: "10.0.0.0/33", RATE_LIMIT_REQUESTS: "1.5", WRITES_PER_DAY: "0" },
      STORED_MEGABYTES_MAX: "1e3",
    },
    [...LIMIT_NAMES],
  ],
]

/** Each of these is refused. */
const ALL_WRONG: ReadonlyArray<Environment> = [
  {
    ...{ MIGRATE: "no", SHUTDOWN_DELAY_SECONDS: "301", INBOX_KEEP_DAYS: "-1" },
    ...{ DEAD_LETTERS_KEEP_DAYS: "0.5", UPLOADS_KEEP_DAYS: "36501" },
  },
  {
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:CANARY@collector", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    ...{ OTEL_METRICS_EXPORTER: "prometheus", OTEL_EXPORTER_OTLP_HEADERS: "CANARY" },
    ...{ OTEL_RESOURCE_ATTRIBUTES: "a=%zz", OTEL_TRACES_SAMPLER_ARG: "1.5", TRACEPARENT_TRUSTED: "yes" },
  },
  {
    ...{ PORT: "CANARY", LOG_LEVEL: "CANARY", NETWORK: "CANARY", DATABASE_URL: "mysql://CANARY" },
    ...{ RPC_BACKUP_URL: "CANARY", TRADING_REQUIRES_WHITELIST: "CANARY", WRITE_AUTH: "CANARY", ROLE: "CANARY" },
    ...{ IPFS_ENDPOINT: "http://CANARY.example", INTENTS_URL: "CANARY", IPFS_GATEWAY_URL: "CANARY" },
  },
]

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

describe("Settings that are wrong", () => {
  const namedBy = Effect.fnUntraced(function* (environment: Environment) {
    const { faults, message } = yield* Effect.flip(readSettings(environment))
    assert.notInclude(message, "CANARY")
    return faults.map((fault) => fault.split(":")[0]!)
  })

  it.effect("are refused by name, and never with their value", () =>
    Effect.gen(function* () {
      for (const [beside, name, ...values] of WRONG)
        for (const value of values) {
          const environment = { ...beside, ...(value === "" ? {} : { [name]: value }) }
          assert.deepStrictEqual(yield* namedBy(environment), [name], JSON.stringify(environment))
        }
    }),
  )

  it.effect("say what is expected, also within the presets of launchpads and in files", () =>
    Effect.gen(function* () {
      const { DATABASE_URL: _url, ...noDatabase } = PRODUCTION
      for (const [environment, fault] of [
        [LOCALNET, "RPC_GENESIS_HASH: expected the genesis hash of your localnet, or any"],
        [{ LAUNCHPADS: "{" }, "LAUNCHPADS: expected JSON"],
        [{ LAUNCHPADS: "[]" }, "LAUNCHPADS: expected a JSON object"],
        [
          { LAUNCHPADS: '{"launchpad_c":{}}' },
          "LAUNCHPADS: launchpad_c: is not a field here; did you mean launchpad_a?",
        ],
        [
          { LAUNCHPADS: '{"launchpad_a":{"dbcConfig":{"feeClaimer":"nobody"}}}' },
          "LAUNCHPADS: launchpad_a.dbcConfig.feeClaimer: expected a Solana address (base58 of 32 bytes)",
        ],
        [
          { LAUNCHPADS: '{"launchpad_b":{"dbcConfig":{"migrationOption":0}}}' },
          "LAUNCHPADS: launchpad_b.dbcConfig.migrationOption: expected 1 (DAMM v2): the program takes no new migration to DAMM v1 (given: 0)",
        ],
        [
          { LAUNCHPADS: `{"launchpad_b":{"quoteMint":"${USDC}"}}` },
          `LAUNCHPADS: launchpad_b.dbcConfig.buildCurveParam: expected the amounts of the curve in ${USDC}`,
        ],
        [{ ...PRODUCTION, DATABASE_URL_FILE: "/nowhere" }, /^DATABASE_URL: .* not both/],
        [{ ...noDatabase, DATABASE_URL_FILE: "/nowhere" }, /^DATABASE_URL_FILE: /],
      ] as const) {
        const [told] = (yield* Effect.flip(readSettings(environment))).faults
        if (typeof fault === "string") assert.strictEqual(told, fault)
        else assert.match(told!, fault)
      }
    }),
  )

  it.effect("are all named at once", () =>
    Effect.gen(function* () {
      for (const [environment, named] of TOGETHER) assert.deepStrictEqual(yield* namedBy(environment), [...named])
      for (const wrong of ALL_WRONG)
        assert.includeMembers(yield* namedBy({ ...PRODUCTION, ...wrong }), Object.keys(wrong))
    }),
  )
})
