import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { byMint, draftOf, follow, launch, launchConfig } from "./ChainLaunches.ts"

layer(TestServer.layer())("Tokens from the chain", (it) => {
  it.effect("appear when they were launched with a launchpad's configuration, and only then", () =>
    Effect.gen(function* () {
      const ours = yield* launch({ config: yield* launchConfig() })
      const foreign = yield* launch({ config: sampleAddress() })
      yield* follow
      const { body, status } = yield* byMint(ours.baseMint)
      assert.strictEqual(status, 200)
      assert.deepInclude(body.data, {
        ...{ name: "From Chain", symbol: "CHN", launchpad: "launchpad_b", decimals: 6, active: true },
        ...{ totalSupply: "1000000000.000001", createdAt: "2026-11-01T00:00:00.000Z", description: "" },
      })
      assert.strictEqual(body.data.metadata.tokenUri, "https://example.com/m.json")
      assert.deepStrictEqual(body.data.tokenConfig, { quoteMint: SOL })
      assert.strictEqual((yield* byMint(foreign.baseMint)).status, 404)
    }),
  )

  it.effect("have every digit of their supply, and so does the record of the launch", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const supply = { decimals: 9, supply: "18446744073709551615" }
      const { baseMint, creator } = yield* launch({ ...supply, config: yield* launchConfig() })
      yield* follow
      assert.strictEqual((yield* byMint(baseMint)).body.data.totalSupply, "18446744073.709551615")
      const { body } = yield* request(`/api/transactions?userAddress=${creator}`)
      assert.strictEqual(body.transactions[0].amountOut, "18446744073.709551615")
    }),
  )

  it.effect("are shown without invisible characters, and never without a name", () =>
    Effect.gen(function* () {
      const config = yield* launchConfig()
      const bidi = yield* launch({
        config,
        name: " ev\u202eil\u200b ",
        symbol: "\u200bS\u0007Y",
        uri: "javascript:alert(1)",
      })
      const blank = yield* launch({ config, name: "\u200b", symbol: "", uri: "" })
      yield* follow
      const first = (yield* byMint(bidi.baseMint)).body.data
      assert.deepInclude(first, { name: "evil", symbol: "SY" })
      assert.strictEqual(first.metadata.tokenUri, "")
      const second = (yield* byMint(blank.baseMint)).body.data
      assert.strictEqual(second.symbol, blank.baseMint.slice(0, 6))
      assert.strictEqual(second.name, second.symbol)
    }),
  )

  it.effect("are completed once by the client that registers them; deleted ones stay deleted", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const one = yield* launch({ config: yield* launchConfig() })
      const { baseMint } = one
      yield* follow
      const before = (yield* byMint(baseMint)).body.data
      const draft = draftOf(one, { description: "Completed", tags: ["mine"] })
      const completed = yield* request("/api/tokens", { json: draft })
      assert.strictEqual(completed.status, 201)
      assert.deepInclude(completed.body.data, { id: before.id, createdAt: before.createdAt, description: "Completed" })
      const again = yield* request("/api/tokens", { json: draft })
      assert.deepInclude(again.body, {
        code: "already_exists",
        details: { resource: "token", id: before.id },
      })
      yield* request(`/api/tokens/${before.id}`, { method: "DELETE" })
      yield* commitChanges(sampleChange("token", baseMint))
      yield* follow
      assert.strictEqual((yield* byMint(baseMint)).status, 404)
    }),
  )

  it.effect("are inactive once they have migrated; a reverted launch leaves no trace", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const config = yield* launchConfig()
      const { baseMint, pool } = yield* launch({ config })
      const forged = yield* launch({ config })
      yield* follow
      const { id } = (yield* byMint(baseMint)).body.data
      yield* request(`/api/tokens/${id}`, { method: "PATCH", json: { tags: ["graduate"] } })

      yield* commitChanges(sampleChange("graduation", baseMint, { pool, stage: "completed" }))
      yield* follow
      assert.isTrue((yield* byMint(baseMint)).body.data.active)
      yield* sql`update dbc_pools set migrated_slot = 9 where pool = ${pool}`
      yield* commitChanges(sampleChange("graduation", baseMint, { pool, stage: "migrated" }))
      yield* follow
      assert.isFalse((yield* byMint(baseMint)).body.data.active)
      assert.lengthOf((yield* request("/api/tokens?tag=graduate&active=true")).body.data, 0)
      assert.lengthOf((yield* request("/api/tokens?tag=graduate&active=false")).body.data, 1)

      // Its registration cannot change that afterwards.
      const refused = yield* request(`/api/tokens/${id}`, { method: "PATCH", json: { active: true } })
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual(refused.body.details.contradictions, [{ field: "active", onChain: false, sent: true }])

      yield* sql`update dbc_pools set migrated_slot = null where pool = ${pool}`
      yield* sql`delete from dbc_pools where pool = ${forged.pool}`
      // A revert of another transaction changes nothing.
      yield* commitChanges(sampleChange("revert", ""))
      yield* follow
      assert.isFalse((yield* byMint(baseMint)).body.data.active)
      assert.strictEqual((yield* byMint(forged.baseMint)).status, 200)
      yield* commitChanges(sampleChange("revert", "", { pools: [pool], mintAddresses: [forged.baseMint] }))
      yield* follow
      assert.isTrue((yield* byMint(baseMint)).body.data.active)
      assert.strictEqual((yield* byMint(forged.baseMint)).status, 404)
    }),
  )

  it.effect("are inactive when they migrated before the registry saw them, whoever registers them", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const migrated = { migratedSlot: 7n, migratedAt: new Date(), migratedPool: sampleAddress() }
      // The graduation was emitted before the launch, when the mint was unknown.
      const late = yield* launch({ config: yield* launchConfig(), ...migrated })
      yield* follow
      assert.isFalse((yield* byMint(late.baseMint)).body.data.active)
      const foreign = yield* launch({ config: sampleAddress(), ...migrated })
      const created = yield* request("/api/tokens", { json: draftOf(foreign, { launchpad: "launchpad_a" }) })
      assert.strictEqual(created.status, 201, JSON.stringify(created.body))
      assert.isFalse(created.body.data.active)
    }),
  )

  it.effect("are skipped when their values are invalid, and others are not delayed", () =>
    Effect.gen(function* () {
      const config = yield* launchConfig()
      const strange = yield* launch({ config, decimals: 19 })
      const unknown = yield* launch({ config, supply: null })
      const good = yield* launch({ config })
      yield* follow
      assert.strictEqual((yield* byMint(good.baseMint)).status, 200)
      for (const { baseMint } of [strange, unknown]) assert.strictEqual((yield* byMint(baseMint)).status, 404)
    }),
  )

  it.effect("are read from the tables when their changes are no longer kept", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* follow
      const config = yield* launchConfig()
      const old = yield* launch({ config })
      yield* follow
      const { baseMint } = yield* launch({ config })
      yield* sql`update dbc_pools set migrated_slot = 9 where pool = ${old.pool}`
      yield* commitChanges(sampleChange("pool", baseMint))
      yield* sql`delete from index_changes where id < (select max(id) from index_changes)`
      yield* follow
      assert.strictEqual((yield* byMint(baseMint)).status, 200)
      assert.isFalse((yield* byMint(old.baseMint)).body.data.active)
    }),
  )

  it.effect("are registered once by replicas that follow concurrently", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const config = yield* launchConfig()
      const launches = yield* Effect.forEach(Array.from({ length: 20 }), () => launch({ config }))
      yield* Effect.all([follow, follow, follow, follow], { concurrency: "unbounded" })
      yield* follow
      const rows = yield* sql`
        select mint_address from tokens where mint_address = any(${launches.map(({ baseMint }) => baseMint)}::text[])`
      assert.lengthOf(rows, 20)
    }),
  )
})
