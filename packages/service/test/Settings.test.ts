import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { GENESIS_HASH } from "@launch-registry/chain/rpc/Network"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { misspeltSettings } from "../src/MisspeltSettings.ts"
import { readSettings, SETTING_NAMES } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const faultsOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(environment)), ({ faults }) => faults)

describe("Settings", () => {
  it.effect("need nothing in local mode", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings({})
      assert.deepInclude(settings, {
        runMode: "local",
        role: "all",
        port: 3001,
        host: "127.0.0.1",
        network: "localnet",
        logLevel: "Info",
      })
      assert.deepInclude(settings, {
        gatewayUrl: "http://localhost:3001/ipfs",
        tradingRequiresWhitelist: false,
        rpcUrls: [],
      })
      assert.isTrue(Option.isNone(settings.databaseUrl))
    }),
  )

  it.effect("are all read in production, with redacted secrets", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings({
        ...PRODUCTION,
        PORT: "8080",
        LOG_LEVEL: "warn",
        PUBLIC_URL: "https://api.example/",
        TRADING_REQUIRES_WHITELIST: "true",
      })
      assert.deepInclude(settings, {
        host: "0.0.0.0",
        port: 8080,
        network: "mainnet",
        logLevel: "Warn",
        gatewayUrl: "https://api.example/ipfs",
        tradingRequiresWhitelist: true,
      })
      assert.lengthOf(settings.rpcUrls, 2)
      assert.strictEqual(Redacted.value(Option.getOrThrow(settings.databaseUrl)), PRODUCTION.DATABASE_URL)
      assert.notInclude(JSON.stringify(settings), "CANARY")
    }),
  )

  it.effect("accept any number of backups, and take each endpoint's cluster from the network", () =>
    Effect.gen(function* () {
      const backups = "https://one.example/?key=CANARY, https://two.example"
      const settings = yield* readSettings({ ...PRODUCTION, RPC_BACKUP_URL: backups })
      assert.deepStrictEqual(
        settings.rpcUrls.map((url) => new URL(Redacted.value(url)).hostname),
        ["rpc.example", "one.example", "two.example"],
      )
      assert.strictEqual(settings.genesisHash, GENESIS_HASH.mainnet)
    }),
  )

  it.effect("allow an endpoint of an unknown cluster only explicitly", () =>
    Effect.gen(function* () {
      const localnet = { RPC_URL: "http://127.0.0.1:8899" }
      assert.deepStrictEqual(yield* faultsOf(localnet), [
        "RPC_GENESIS_HASH: expected the genesis hash of your localnet, or any",
      ])
      assert.strictEqual((yield* readSettings({ ...localnet, RPC_GENESIS_HASH: "any" })).genesisHash, "any")
      const own = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
      assert.strictEqual((yield* readSettings({ ...localnet, RPC_GENESIS_HASH: own })).genesisHash, own)
      assert.match(
        (yield* faultsOf({ ...localnet, RPC_GENESIS_HASH: "short" }))[0]!,
        /^RPC_GENESIS_HASH: expected a gen/,
      )
      assert.match(
        (yield* faultsOf({ ...PRODUCTION, RPC_GENESIS_HASH: "any" }))[0]!,
        /^RPC_GENESIS_HASH: expected no value/,
      )
    }),
  )

  it.effect("define the presets of launchpads, validated as configurations", () =>
    Effect.gen(function* () {
      const feeClaimer = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
      const said = { launchpad_a: { dbcConfig: { feeClaimer, baseFeeParams: { baseFeeMode: 1 } } } }
      const { launchpads } = yield* readSettings({ LAUNCHPADS: JSON.stringify(said) })
      assert.strictEqual(launchpads.launchpad_a.config.feeClaimer, feeClaimer)
      assert.deepInclude(launchpads.launchpad_a.config.baseFeeParams, { baseFeeMode: 1 })
      assert.deepInclude(launchpads.launchpad_a.config.baseFeeParams.feeSchedulerParam, { startingFeeBps: 100 })
      assert.strictEqual(launchpads.launchpad_b.config.feeClaimer, undefined)
      const faultOf = (text: string) => Effect.map(faultsOf({ LAUNCHPADS: text }), (faults) => faults[0]!)
      assert.strictEqual(yield* faultOf("{"), "LAUNCHPADS: expected JSON")
      assert.strictEqual(
        yield* faultOf('{"launchpad_c":{}}'),
        "LAUNCHPADS: launchpad_c: is not a field here; did you mean launchpad_a?",
      )
      assert.strictEqual(
        yield* faultOf('{"launchpad_a":{"dbcConfig":{"feeClaimer":"nobody"}}}'),
        "LAUNCHPADS: launchpad_a.dbcConfig.feeClaimer: expected a Solana address (base58 of 32 bytes)",
      )
      assert.strictEqual(yield* faultOf("[]"), "LAUNCHPADS: expected a JSON object")
      assert.strictEqual(
        yield* faultOf('{"launchpad_b":{"dbcConfig":{"migrationOption":0}}}'),
        "LAUNCHPADS: launchpad_b.dbcConfig.migrationOption: expected 1 (DAMM v2): the program takes no new migration to DAMM v1 (given: 0)",
      )
    }),
  )

  it.effect("can come from files, but not from both", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "registry-settings-"))
      const file = join(folder, "url")
      writeFileSync(file, `${PRODUCTION.DATABASE_URL}\n`)
      const { DATABASE_URL: _, ...rest } = PRODUCTION
      const settings = yield* readSettings({ ...rest, DATABASE_URL_FILE: file })
      assert.strictEqual(Redacted.value(Option.getOrThrow(settings.databaseUrl)), PRODUCTION.DATABASE_URL)
      assert.match((yield* faultsOf({ ...PRODUCTION, DATABASE_URL_FILE: file }))[0]!, /^DATABASE_URL: .* not both/)
      assert.match(
        (yield* faultsOf({ ...rest, DATABASE_URL_FILE: join(folder, "absent") }))[0]!,
        /^DATABASE_URL_FILE: /,
      )
      rmSync(folder, { recursive: true })
    }),
  )

  it.effect("select the source of the indexer", () =>
    Effect.gen(function* () {
      const indexerOf = (environment: Readonly<Record<string, string>>) =>
        Effect.map(readSettings(environment), ({ indexer }) => indexer)
      assert.deepInclude(yield* indexerOf({}), { source: "poll", webhookSecrets: [], reconcileSeconds: undefined })
      assert.strictEqual((yield* indexerOf(PRODUCTION)).source, "off")
      const secrets = "CANARY-one-secret, CANARY-two-secret"
      const webhook = yield* indexerOf({
        ...PRODUCTION,
        HELIUS_WEBHOOK_SECRET: secrets,
        INDEXER_RECONCILE_SECONDS: "30",
        INDEXER_POOL_REQUESTS: "20",
      })
      assert.deepInclude(webhook, { source: "webhook", reconcileSeconds: 30, poolRequests: 20 })
      assert.deepStrictEqual(webhook.webhookSecrets.map(Redacted.value), ["CANARY-one-secret", "CANARY-two-secret"])
      assert.notInclude(JSON.stringify(webhook), "CANARY")
      assert.strictEqual((yield* indexerOf({ HELIUS_WEBHOOK_SECRET: secrets, INDEXER_SOURCE: "poll" })).source, "poll")
    }),
  )

  it.effect("that are likely misspelt are reported by name, and nothing else is", () =>
    Effect.gen(function* () {
      const misspelt = {
        ...{ DATABSE_URL: "CANARY", INTENTS_KEY: "CANARY", RPC_BACKUP_URL_FIEL: "CANARY", Log_Level: "CANARY" },
        ...{ HELIUS_WEBHOOK_SECRETS_FILE: "CANARY", Port: "CANARY", IPFS_ANYTHING: "CANARY" },
        ...{ RATE_LIMIT_WINDOW_SECONDS: "CANARY", RECORDS_PER_DAY: "CANARY", LISTS_MEGABYTES_MAX: "CANARY" },
      }
      const innocent = {
        ...{ HOME: "x", PATH: "x", HOSTNAME: "x", NODE_ENV: "x", PGHOST: "x", DATABASE_HOST: "x", POSTGRES_URL: "x" },
        ...{ IPFS_EMPTY: "", KUBERNETES_PORT: "x", npm_config_registry: "x", LOGNAME: "x", NO_PROXY: "x" },
        // Variables of a Kubernetes namespace with services of these names, of Kubo, and others.
        ...{ RPC_SERVICE_HOST: "x", RPC_SERVICE_PORT: "x", RPC_SERVICE_PORT_HTTP: "x", RPC_PORT: "x", IPFS_PORT: "x" },
        ...{ RPC_PORT_8899_TCP: "x", RPC_PORT_8899_TCP_ADDR: "x", INDEXER_PORT: "x", LAUNCHPAD_SERVICE_PORT: "x" },
        ...{ IPFS_PATH: "x", IPFS_LOGGING: "x", IPFS_TELEMETRY: "x", POST: "x", ROLES: "x", HOSTS: "x", SPORT: "x" },
      }
      const settings = yield* readSettings({ ...PRODUCTION, ...misspelt, ...innocent })
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
