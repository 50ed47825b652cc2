import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"

const CREDENTIALS = { IPFS_KEY: "CANARY", IPFS_SECRET: "CANARY", IPFS_BUCKET: "uploads" }

const orderOf = (values: Readonly<Record<string, string>>) => Effect.map(readSettings(values), ({ ipfs }) => ipfs.order)
const faultsOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(values)), ({ faults }) => faults.map((fault) => fault.split(":")[0]))

describe("The settings of uploads", () => {
  it.effect("keep uploads in the database, and send them to Filebase first once its credentials are there", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* orderOf({}), ["embedded"])
      assert.deepStrictEqual(yield* orderOf(CREDENTIALS), ["filebase", "embedded"])
      const { ipfs } = yield* readSettings(CREDENTIALS)
      assert.deepInclude(ipfs.filebase, { endpoint: "https://s3.filebase.com", bucket: "uploads", readBack: true })
      assert.strictEqual(Redacted.value(ipfs.filebase!.secret), "CANARY")
      assert.notInclude(JSON.stringify(ipfs), "CANARY")
    }),
  )

  it.effect("take any order of backends", () =>
    Effect.gen(function* () {
      const w3up = { IPFS_W3UP_KEY: "k", IPFS_W3UP_PROOF: "p", ...CREDENTIALS }
      for (const order of ["embedded", "embedded,filebase", "w3up,filebase,embedded", " filebase , w3up,embedded "]) {
        const values = { IPFS_BACKEND: order, ...(order === "embedded" ? {} : w3up) }
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
      for (const endpoint of ["http://s3.example.com", "s3.example.com", "ftp://localhost"])
        assert.deepStrictEqual(yield* faultsOf({ ...CREDENTIALS, IPFS_ENDPOINT: endpoint }), ["IPFS_ENDPOINT"])
    }),
  )
})

describe("The settings of bridging", () => {
  it.effect("say where swaps are asked for, or nothing", () =>
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
