import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { rpcHealth } from "../../src/system/RpcHealth.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

const RPC = { switches: 0, changes: [] }

layer(TestServer.layer(), { excludeTestServices: true })("Health", (it) => {
  it.effect("reports the state of every part, from the last observation of the chain", () =>
    Effect.gen(function* () {
      const { fetch, request } = yield* TestServer
      const before = (yield* request("/")).body.data
      assert.deepInclude(before, { status: "ok", network: "localnet", version: "0.0.0-test" })
      assert.strictEqual(before.rpc.status, "up")
      for (const part of ["database", "ipfs"]) assert.strictEqual(before[part].status, "up")
      assert.strictEqual(before.indexer.status, "off")
      assert.deepStrictEqual(before.bridge, { status: "off", detail: "INTENTS_URL is not set" })
      assert.deepInclude(before.ipfs, { status: "up", detail: "embedded up" })
      yield* request(`/api/launch/pool/state/${SEEDED_MINTS.spl}`)
      const { endpoints } = (yield* request("/api/system/rpc")).body.data
      assert.deepInclude(endpoints[0], { name: "primary", state: "closed", slotLag: 0, errors: {} })
      // Endpoints that answer and show no new slot are in use all the same.
      assert.deepStrictEqual(rpcHealth({ ...RPC, endpoints: [{ ...endpoints[0], slot: "7" }], stillSeconds: 600 }), {
        status: "degraded",
        detail:
          "primary up at slot 7; no new slot has been confirmed for 600 s: reads go on, transactions are not built until the chain does",
      })
      assert.isAtLeast(endpoints[0].calls, 1)
      const metrics = yield* Effect.flatMap(fetch("/metrics"), (response) => Effect.promise(() => response.text()))
      assert.match(metrics, /^launch_registry_rpc_requests_total\{endpoint="primary"\} [1-9]/m)
      assert.match((yield* request("/")).body.data.rpc.detail, /^primary up at slot \d+$/)
      assert.deepStrictEqual((yield* request("/livez")).body.data, { live: true })
      assert.deepStrictEqual((yield* request("/readyz")).body.data, { ready: true, warnings: [] })
    }),
  )
})

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }), { excludeTestServices: true })("Health without RPC", (it) => {
  it.effect("is degraded, and the service stays ready", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (let call = 0; call < 2; call++) yield* request(`/api/launch/pool/state/${SEEDED_MINTS.spl}`)
      const { body, status } = yield* request("/")
      assert.strictEqual(status, 200)
      assert.strictEqual(body.data.status, "degraded")
      assert.deepStrictEqual(body.data.rpc, { status: "down", detail: "primary down" })
      assert.strictEqual((yield* request("/readyz")).status, 200)
    }),
  )
})
