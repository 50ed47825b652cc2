import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readSettings } from "../src/Settings.ts"

const faultsOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(environment)), ({ faults }) => faults)

describe("Settings of the local chain", () => {
  it.effect("are a port, rent and slot time, only where there is one", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* readSettings({})).localChainPort, Option.none())
      assert.deepStrictEqual((yield* readSettings({ LOCAL_CHAIN_PORT: "8900" })).localChainPort, Option.some(8900))
      assert.deepStrictEqual(yield* faultsOf({ LOCAL_CHAIN_PORT: "70000" }), [
        "LOCAL_CHAIN_PORT: expected a port number from 1 to 65535",
      ])
      const reduced = { LOCAL_CHAIN_LAMPORTS_PER_BYTE: "696", LOCAL_CHAIN_SLOT_MILLIS: "200" }
      const { localChain } = yield* readSettings(reduced)
      assert.deepStrictEqual(localChain, { lamportsPerByte: 696n, slotMillis: 200 })
      assert.deepStrictEqual((yield* readSettings({})).localChain, {})
      assert.deepStrictEqual(yield* faultsOf({ LOCAL_CHAIN_SLOT_MILLIS: "0" }), [
        "LOCAL_CHAIN_SLOT_MILLIS: expected a whole number of milliseconds from 50 to 10000",
      ])
      const all = { LOCAL_CHAIN_PORT: "8899", ...reduced }
      assert.deepStrictEqual(
        yield* faultsOf({ RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any", ...all }),
        Object.keys(all).map(
          (name) => `${name}: expected no value without a local chain (RUN_MODE=local and no RPC_URL)`,
        ),
      )
    }),
  )
})
