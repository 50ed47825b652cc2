import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readSettings } from "../src/Settings.ts"

const faultsOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(environment)), ({ faults }) => faults)

describe("Settings of the local chain", () => {
  it.effect("are a port, only where there is one", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* readSettings({})).localChainPort, Option.none())
      assert.deepStrictEqual((yield* readSettings({ LOCAL_CHAIN_PORT: "8900" })).localChainPort, Option.some(8900))
      assert.deepStrictEqual(yield* faultsOf({ LOCAL_CHAIN_PORT: "70000" }), [
        "LOCAL_CHAIN_PORT: expected a port number from 1 to 65535",
      ])
      assert.deepStrictEqual(
        yield* faultsOf({ RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any", LOCAL_CHAIN_PORT: "8899" }),
        ["LOCAL_CHAIN_PORT: expected no value without a local chain (RUN_MODE=local and no RPC_URL)"],
      )
    }),
  )
})
