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

  it.effect("bound what a priority fee may be, up to a whole SOL", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings({ PRIORITY_FEE_MAX_LAMPORTS: "250000" })
      assert.deepStrictEqual(settings.priorityFeeMaxLamports, Option.some(250_000n))
      assert.isTrue(Option.isNone((yield* readSettings({})).priorityFeeMaxLamports))
      for (const wrong of ["-1", "0.5", "high", "1000000001"])
        assert.match((yield* faultsOf({ PRIORITY_FEE_MAX_LAMPORTS: wrong }))[0]!, /^PRIORITY_FEE_MAX_LAMPORTS: /)
    }),
  )

  it.effect("report every fault at once, and no value", () =>
    Effect.gen(function* () {
      const wrong = {
        RUN_MODE: "production",
        PORT: "CANARY",
        LOG_LEVEL: "CANARY",
        NETWORK: "CANARY",
        DATABASE_URL: "mysql://CANARY",
        RPC_BACKUP_URL: "CANARY",
        TRADING_REQUIRES_WHITELIST: "CANARY",
        IPFS_BACKEND: "filebase,embedded",
        IPFS_ENDPOINT: "http://CANARY.example",
        INTENTS_URL: "CANARY",
        INTENTS_QUOTE_KEY: "CANARY",
        IPFS_GATEWAY_URL: "CANARY",
        WRITE_AUTH: "CANARY",
        ROLE: "CANARY",
      }
      const faults = yield* faultsOf(wrong)
      const named = faults.map((fault) => fault.split(":")[0])
      assert.includeMembers(named, [
        ...Object.keys(wrong).filter((name) => !["RUN_MODE", "IPFS_BACKEND"].includes(name)),
        "RPC_URL",
      ])
      assert.notInclude(faults.join("\n"), "CANARY")
    }),
  )

  it.effect("start nothing embedded outside local mode", () =>
    Effect.gen(function* () {
      const faults = yield* faultsOf({ RUN_MODE: "production" })
      assert.deepStrictEqual(
        faults.map((fault) => fault.split(":")[0]),
        ["DATABASE_URL", "RPC_URL", "NETWORK", "PUBLIC_URL"],
      )
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
      for (const wrong of ["https://one.example,", "https://one.example two"])
        assert.match((yield* faultsOf({ ...PRODUCTION, RPC_BACKUP_URL: wrong }))[0]!, /^RPC_BACKUP_URL: /)
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

  it.effect("select the source of the indexer, and refuse combinations that cannot work", () =>
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

      const wrong: ReadonlyArray<readonly [Record<string, string>, string]> = [
        [{ HELIUS_WEBHOOK_SECRET: "CANARY" }, "HELIUS_WEBHOOK_SECRET"],
        [{ HELIUS_WEBHOOK_SECRET: `${secrets},CANARY-three-secret` }, "HELIUS_WEBHOOK_SECRET"],
        [{ INDEXER_SOURCE: "webhook" }, "HELIUS_WEBHOOK_SECRET"],
        [{ INDEXER_SOURCE: "carrier pigeon" }, "INDEXER_SOURCE"],
        [{ INDEXER_RECONCILE_SECONDS: "0" }, "INDEXER_RECONCILE_SECONDS"],
        [{ INDEXER_RECONCILE_SECONDS: "1.5" }, "INDEXER_RECONCILE_SECONDS"],
        [{ INDEXER_POOL_REQUESTS: "0" }, "INDEXER_POOL_REQUESTS"],
        [{ ROLE: "everything" }, "ROLE"],
      ]
      for (const [environment, name] of wrong) {
        const faults = yield* faultsOf(environment)
        assert.isTrue(faults.length === 1 && faults[0]!.startsWith(name), JSON.stringify(faults))
        assert.notInclude(faults.join(), "CANARY")
      }
    }),
  )

  it.effect("refuse an invalid PUBLIC_URL, also when uploads use another URL", () =>
    Effect.gen(function* () {
      const gateway = { IPFS_GATEWAY_URL: "https://gateway.example/ipfs" }
      for (const PUBLIC_URL of [
        "nonsense",
        "ftp://api.example",
        "https://user:CANARY@api.example",
        "https://a.example/?b",
        "https://a.example/?",
        "https:a.example",
        "http://[",
        "http://:::",
        "http://api.example:99999",
      ])
        for (const other of [{}, gateway]) {
          const faults = yield* faultsOf({ ...PRODUCTION, ...other, PUBLIC_URL })
          assert.deepStrictEqual([faults.length, faults[0]!.split(":")[0]], [1, "PUBLIC_URL"], PUBLIC_URL)
          assert.notInclude(faults.join(), "CANARY")
        }
      const settings = yield* readSettings({ ...PRODUCTION, ...gateway, PUBLIC_URL: "http://api.internal/" })
      assert.deepStrictEqual(settings.publicUrl, Option.some("http://api.internal"))
      for (const other of [{}, gateway])
        yield* readSettings({ ...PRODUCTION, ...other, PUBLIC_URL: "HTTPS://Api.example" })
    }),
  )

  it.effect("refuse a DATABASE_URL that cannot be parsed, without quoting any of it", () =>
    Effect.gen(function* () {
      for (const [url, why] of [
        ["CANARY", "one URL starting with postgres:// or postgresql://"],
        ["postgres://somebody:CAN%zzARY@db/registry", "Invalid percent-encoding in URL password"],
        ["postgres://somebody@db:0/registry?password=CANARY", "Invalid port in URL authority"],
        ["postgres://somebody@db/registry?sslmode=CANARY", "Unrecognized sslmode in URL"],
        ["postgres://somebody@db/registry%00?password=CANARY", "must not contain NUL"],
      ] as const) {
        const faults = yield* faultsOf({ ...PRODUCTION, DATABASE_URL: url })
        assert.isTrue(faults.length === 1 && faults[0]!.startsWith("DATABASE_URL: expected "), faults.join())
        assert.include(faults[0]!, why)
        assert.notInclude(faults[0]!, "CANARY")
      }
      yield* readSettings({ ...PRODUCTION, DATABASE_URL: "postgresql:///registry?host=/run/postgresql&user=somebody" })
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
