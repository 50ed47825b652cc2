import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"

const CREDENTIALS = { IPFS_KEY: "CANARY", IPFS_SECRET: "CANARY", IPFS_BUCKET: "uploads" }

const orderOf = (values: Readonly<Record<string, string>>) => Effect.map(readSettings(values), ({ ipfs }) => ipfs.order)
const faultsOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(values)), ({ faults }) => faults.map((fault) => fault.split(":")[0]))

describe("The settings of uploads", () => {
  it.effect("keep uploads in the database, and send them to Filebase first once its credentials are set", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* orderOf({}), ["embedded"])
      assert.deepStrictEqual(yield* orderOf(CREDENTIALS), ["filebase", "embedded"])
      const { ipfs } = yield* readSettings(CREDENTIALS)
      assert.deepInclude(ipfs.filebase, { endpoint: "https://s3.filebase.com", bucket: "uploads" })
      assert.strictEqual(Redacted.value(ipfs.filebase!.secret), "CANARY")
      assert.notInclude(JSON.stringify(ipfs), "CANARY")
    }),
  )

  it.effect("take any order of backends", () =>
    Effect.gen(function* () {
      for (const order of ["embedded", "embedded,filebase", "w3up,embedded", " filebase , w3up,embedded "]) {
        const values = {
          IPFS_BACKEND: order,
          ...(order.includes("filebase") ? CREDENTIALS : {}),
          ...(order.includes("w3up") ? { IPFS_W3UP_KEY: "k", IPFS_W3UP_PROOF: "p" } : {}),
        }
        assert.strictEqual((yield* orderOf(values)).join(","), order.replaceAll(" ", ""))
      }
      const gateway = { IPFS_GATEWAY_URL: "https://ipfs.filebase.io/ipfs" }
      assert.deepStrictEqual(yield* orderOf({ IPFS_BACKEND: "filebase", ...CREDENTIALS, ...gateway }), ["filebase"])
    }),
  )

  it.effect("are refused where uploads would not arrive, or could not be read", () =>
    Effect.gen(function* () {
      for (const order of ["s3", "embedded,embedded", "filebase,", "FILEBASE"])
        assert.include(yield* faultsOf({ ...CREDENTIALS, IPFS_BACKEND: order }), "IPFS_BACKEND", order)
      assert.deepStrictEqual(yield* faultsOf({ IPFS_BACKEND: "filebase,embedded" }), [
        "IPFS_BUCKET",
        "IPFS_KEY",
        "IPFS_SECRET",
      ])
      assert.deepStrictEqual(yield* faultsOf({ IPFS_BACKEND: "w3up,embedded" }), ["IPFS_W3UP_KEY", "IPFS_W3UP_PROOF"])
      assert.deepStrictEqual(yield* faultsOf({ ...CREDENTIALS, IPFS_BACKEND: "filebase" }), ["IPFS_GATEWAY_URL"])
      assert.deepStrictEqual(yield* faultsOf({ ...CREDENTIALS, IPFS_BACKEND: "embedded" }), ["IPFS_BACKEND"])
      assert.deepStrictEqual(yield* faultsOf({ ...CREDENTIALS, IPFS_BUCKET: "No Bucket" }), ["IPFS_BUCKET"])
      assert.deepStrictEqual(yield* faultsOf({ IPFS_W3UP_KEY: "k", IPFS_ENDPOINT: "https://s3.example" }), [
        "IPFS_ENDPOINT",
        "IPFS_W3UP_KEY",
      ])
      for (const endpoint of ["http://s3.example.com", "s3.example.com", "https://u:p@s3.example.com", "https://s3/?x"])
        assert.deepStrictEqual(yield* faultsOf({ ...CREDENTIALS, IPFS_ENDPOINT: endpoint }), ["IPFS_ENDPOINT"])
    }),
  )
})

describe("The gateway in upload URLs", () => {
  it.effect("is one that wallets can reach: https, or this machine", () =>
    Effect.gen(function* () {
      for (const url of [
        "http://192.168.1.5:3001",
        "https://u:p@x.example",
        "https://x.example/ipfs?token=1",
        "x.example",
      ]) {
        assert.deepStrictEqual(yield* faultsOf({ IPFS_GATEWAY_URL: url }), ["IPFS_GATEWAY_URL"], url)
        assert.deepStrictEqual(yield* faultsOf({ PUBLIC_URL: url }), ["PUBLIC_URL"], url)
      }
      for (const url of ["https://x.example/ipfs", "http://localhost:3001/ipfs"])
        assert.strictEqual((yield* readSettings({ IPFS_GATEWAY_URL: url })).gatewayUrl, url)
    }),
  )

  it.effect("has to be set when clients on other machines read", () =>
    Effect.gen(function* () {
      const production = {
        RUN_MODE: "production",
        DATABASE_URL: "postgres://somebody@db.example/registry",
        RPC_URL: "https://rpc.example",
        NETWORK: "mainnet",
      }
      assert.deepStrictEqual(yield* faultsOf(production), ["PUBLIC_URL"])
      yield* readSettings({ ...production, ROLE: "indexer" })
      const { gatewayUrl } = yield* readSettings({ ...production, PUBLIC_URL: "https://api.example/" })
      assert.strictEqual(gatewayUrl, "https://api.example/ipfs")
    }),
  )
})

describe("The settings of bridging", () => {
  it.effect("name the swap service, or nothing", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone((yield* readSettings({})).bridge))
      const { bridge } = yield* readSettings({ INTENTS_URL: "https://swaps.example/", INTENTS_API_KEY: "CANARY" })
      assert.strictEqual(Option.getOrThrow(bridge).url, "https://swaps.example")
      assert.notInclude(JSON.stringify(bridge), "CANARY")
      assert.deepStrictEqual(yield* faultsOf({ INTENTS_API_KEY: "CANARY" }), ["INTENTS_API_KEY"])
      for (const key of ["ed25519:short", "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"])
        assert.deepStrictEqual(yield* faultsOf({ INTENTS_URL: "https://swaps.example", INTENTS_QUOTE_KEY: key }), [
          "INTENTS_QUOTE_KEY",
        ])
    }),
  )
})
