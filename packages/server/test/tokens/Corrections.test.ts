import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, layer } from "@effect/vitest"
import { TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { chainTokens } from "../../src/tokens/ChainTokens.ts"
import { registerToken } from "../../src/tokens/RegisterToken.ts"
import { SOL, sampleAddress, tokenDraft } from "../../../service/test/Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { byMint, draftOf, follow, launch, launchConfig, LAUNCHED, rollBack } from "./ChainLaunches.ts"
import { create } from "./TokenRequests.ts"

const URI = LAUNCHED.uri

/** The audit trail of a mint; test time stands still, so it is ordered by the author of the correction. */
const corrections = Effect.fn(function* (mint: string) {
  const sql = yield* SqlClient
  return yield* sql<{ readonly correctedBy: string; readonly before: object; readonly after: object }>`
    select corrected_by, before, after from token_corrections where mint_address = ${mint} order by corrected_by, id`
})

/** The fields of a token that the chain knows. */
// oxlint-disable-next-line typescript/no-explicit-any
const facts = (token: any) => {
  const { decimals, launchpad, metadata, name, owner, symbol, tokenConfig, totalSupply } = token
  const { tokenUri } = metadata
  return { name, symbol, owner, totalSupply, decimals, launchpad, tokenUri, quoteMint: tokenConfig?.quoteMint }
}

layer(TestServer.layer())("The chain's version of a token", (it) => {
  it.effect("cannot be contradicted: 409 names every field, the chain's value and the sent one", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const one = yield* launch({ config: yield* launchConfig() })
      yield* follow
      const before = (yield* byMint(one.baseMint)).body.data
      const [owner, quoteMint] = [sampleAddress(), sampleAddress()]
      const lies = { name: "Fake", symbol: "FK", owner, totalSupply: "7", decimals: 9, launchpad: "launchpad_a" }
      const tokenConfig = { quoteMint, dbcConfig: { tokenBaseDecimal: 9, tokenType: 1 } }
      const json = draftOf(one, { ...lies, tokenUri: "https://example.com/fake.json", tokenConfig })
      const { body, status } = yield* request("/api/tokens", { json })
      assert.strictEqual(status, 409)
      assert.strictEqual(body.code, "contradicts_chain")
      assert.deepStrictEqual(
        body.details.contradictions.toSorted((a: { field: string }, b: { field: string }) =>
          a.field < b.field ? -1 : 1,
        ),
        [
          { field: "decimals", onChain: 6, sent: 9 },
          { field: "launchpad", onChain: "launchpad_b", sent: "launchpad_a" },
          { field: "name", onChain: LAUNCHED.name, sent: "Fake" },
          { field: "owner", onChain: one.creator, sent: owner },
          { field: "symbol", onChain: "CHN", sent: "FK" },
          { field: "tokenConfig.dbcConfig.tokenBaseDecimal", onChain: 6, sent: 9 },
          { field: "tokenConfig.dbcConfig.tokenType", onChain: 0, sent: 1 },
          { field: "tokenConfig.quoteMint", onChain: SOL, sent: quoteMint },
          { field: "tokenUri", onChain: URI, sent: "https://example.com/fake.json" },
          { field: "totalSupply", onChain: "1000000000.000001", sent: "7" },
        ],
      )
      assert.include(body.message, "on chain")
      assert.deepStrictEqual((yield* byMint(one.baseMint)).body.data, before)
      // The creator's own registration is accepted.
      const own = yield* request("/api/tokens", { json: draftOf(one, { tokenUri: URI }) })
      assert.strictEqual(own.status, 201, JSON.stringify(own.body))
    }),
  )

  it.effect("also holds for a launchpad's mints whose configuration was not built here", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const foreign = yield* launch({ config: sampleAddress() })
      const lie = yield* request("/api/tokens", { json: draftOf(foreign, { owner: sampleAddress() }) })
      assert.strictEqual(lie.body.code, "contradicts_chain")
      const { body, status } = yield* request("/api/tokens", { json: draftOf(foreign, { launchpad: "launchpad_a" }) })
      assert.strictEqual(status, 201, JSON.stringify(body))
      // Omitted fields have the chain's values.
      assert.deepInclude(body.data, { launchpad: "launchpad_a", pool: foreign.pool, tokenConfig: { quoteMint: SOL } })
      assert.strictEqual(body.data.metadata.tokenUri, URI)
    }),
  )

  it.effect("cannot be changed by PATCH; equal values are accepted, and a token can be hidden", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const one = yield* launch({ config: yield* launchConfig() })
      yield* follow
      const { id } = (yield* byMint(one.baseMint)).body.data
      const patch = (json: object) => request(`/api/tokens/${id}`, { method: "PATCH", json })
      for (const json of [
        { name: "Fake" },
        { symbol: "FK" },
        { tokenUri: "https://example.com/x" },
        { tokenUri: "" },
      ]) {
        const { body, status } = yield* patch(json)
        assert.strictEqual(status, 409, JSON.stringify(json))
        assert.strictEqual(body.details.contradictions[0].field, Object.keys(json)[0])
      }
      const same = yield* patch({ name: LAUNCHED.name, symbol: "CHN", tokenUri: URI, website: "https://example.com" })
      assert.strictEqual(same.status, 200)
      assert.strictEqual((yield* patch({ active: false })).body.data.active, false)
      yield* request(`/api/tokens/${id}`, { method: "DELETE" })
      assert.strictEqual((yield* byMint(one.baseMint)).status, 404)
      // Deleted or not, the chain's values apply.
      const again = yield* request("/api/tokens", { json: draftOf(one, { owner: sampleAddress() }) })
      assert.strictEqual(again.body.code, "contradicts_chain")
    }),
  )

  it.effect("corrects an earlier registration, keeps the corrected values, and restores them after a rollback", () =>
    Effect.gen(function* () {
      const mintAddress = sampleAddress()
      const claimed = yield* create({
        mintAddress,
        tags: ["early"],
        tokenUri: "https://example.com/c.json",
        decimals: 9,
      })
      const one = yield* launch({ baseMint: mintAddress, config: yield* launchConfig() })
      yield* follow
      const corrected = (yield* byMint(mintAddress)).body.data
      assert.deepInclude(corrected, { id: claimed.id, createdAt: claimed.createdAt, tags: ["early"], pool: one.pool })
      assert.deepStrictEqual(facts(corrected), {
        ...{ name: LAUNCHED.name, symbol: "CHN", owner: one.creator, totalSupply: "1000000000.000001", decimals: 6 },
        ...{ launchpad: "launchpad_b", tokenUri: URI, quoteMint: SOL },
      })
      const { request } = yield* TestServer
      assert.lengthOf((yield* request("/api/tokens?tag=early&launchpad=launchpad_b")).body.data, 1)
      const [first] = yield* corrections(mintAddress)
      assert.deepInclude(first, { correctedBy: "chain" })
      assert.deepInclude(first!.before, { name: claimed.name, owner: claimed.owner, decimals: 9, quoteMint: null })
      assert.deepInclude(first!.after, { name: LAUNCHED.name, owner: one.creator, decimals: 6, quoteMint: SOL })

      // Folding it again changes nothing.
      yield* commitChanges(sampleChange("token", mintAddress))
      yield* follow
      assert.lengthOf(yield* corrections(mintAddress), 1)

      yield* rollBack(one)
      const restored = (yield* byMint(mintAddress)).body.data
      assert.deepStrictEqual(facts(restored), { ...facts(claimed), quoteMint: undefined })
      assert.deepInclude(restored, { pool: null, config: null })
      const [, second] = yield* corrections(mintAddress)
      assert.deepInclude(second, { correctedBy: "rollback", before: first!.after, after: first!.before })
    }),
  )

  it.effect("corrects the configuration of an earlier registration, where the client's differs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [config, feeClaimer, lie] = [yield* launchConfig(), sampleAddress(), sampleAddress()]
      const facts = { config, quoteMint: SOL, feeClaimer, leftoverReceiver: sampleAddress() }
      yield* sql`insert into dbc_configs ${sql.insert({ ...facts, tokenDecimal: 6, createdSlot: 1n })}`
      const sent = { feeClaimer: lie, tokenType: 1, tokenBaseDecimal: 9, buildCurveMode: 2 }
      const { mintAddress } = yield* create({ tokenConfig: { dbcConfig: sent } })
      const one = yield* launch({ baseMint: mintAddress, config })
      yield* follow
      const token = (yield* byMint(mintAddress)).body.data
      // An omitted field is not a claim.
      const dbcConfig = { feeClaimer, tokenType: 0, tokenBaseDecimal: 6, buildCurveMode: 2 }
      assert.deepStrictEqual(token.tokenConfig, { quoteMint: SOL, dbcConfig })
      const [first] = yield* corrections(mintAddress)
      assert.deepInclude(first!.before, { feeClaimer: lie, tokenType: 1, tokenBaseDecimal: 9 })
      assert.deepInclude(first!.after, { feeClaimer, tokenType: 0, tokenBaseDecimal: 6 })
      yield* rollBack(one)
      assert.deepStrictEqual((yield* byMint(mintAddress)).body.data.tokenConfig, { dbcConfig: sent })
    }),
  )

  it.effect("is corrected once, also where a label was truncated within a character", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const symbol = `${"S".repeat(31)}🚀`
      const { mintAddress } = yield* create()
      const one = yield* launch({ baseMint: mintAddress, symbol, config: sampleAddress() })
      yield* follow
      yield* commitChanges(sampleChange("token", mintAddress))
      yield* follow
      assert.lengthOf(yield* corrections(mintAddress), 1)
      const { data } = (yield* byMint(mintAddress)).body
      assert.strictEqual(data.symbol, "S".repeat(31))
      const patch = yield* request(`/api/tokens/${data.id}`, { method: "PATCH", json: { symbol: data.symbol } })
      assert.strictEqual(patch.status, 200, JSON.stringify(patch.body))
      yield* rollBack(one)
    }),
  )

  it.effect("follows a new creator of the pool, and a rollback of that", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const one = yield* launch({ config: yield* launchConfig() })
      yield* follow
      const creator = sampleAddress()
      const ownerOf = Effect.map(byMint(one.baseMint), ({ body }) => body.data.owner)
      yield* sql`update dbc_pools set creator = ${creator} where pool = ${one.pool}`
      yield* commitChanges(sampleChange("creator", one.baseMint, { pool: one.pool, creator }))
      yield* follow
      assert.strictEqual(yield* ownerOf, creator)
      assert.deepInclude((yield* corrections(one.baseMint))[0], {
        before: { owner: one.creator },
        after: { owner: creator },
      })
      yield* sql`update dbc_pools set creator = ${one.creator} where pool = ${one.pool}`
      yield* commitChanges(sampleChange("revert", "", { creatorPools: [one.pool] }))
      yield* follow
      assert.strictEqual(yield* ownerOf, one.creator)
    }),
  )

  it.effect("wins over a concurrent registration that has not seen the launch and commits later", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const register = registerToken(sql, (yield* PgClient).json)
      const mintAddress = sampleAddress()
      const [hasRegistered, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const draft = Schema.decodeUnknownSync(TokenDraft)(tokenDraft({ mintAddress, name: "Claimed" }))
      const registration = yield* register(draft, new Date()).pipe(
        Effect.andThen(Deferred.succeed(hasRegistered, undefined)),
        Effect.andThen(Deferred.await(mayCommit)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(hasRegistered)
      yield* launch({ baseMint: mintAddress, config: sampleAddress() })
      const following = yield* Effect.forkChild(follow)
      // Either it waits for the registration, or it finishes without it.
      const isWaiting = sql`select from pg_locks where locktype = 'advisory' and not granted`
      while ((yield* isWaiting).length === 0 && following.pollUnsafe() === undefined) continue
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(registration)
      yield* Fiber.join(following)
      assert.strictEqual((yield* byMint(mintAddress)).body.data.name, LAUNCHED.name)
    }),
  )

  it.effect("blocks no requests during a full comparison", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { json } = yield* PgClient
      const { request } = yield* TestServer
      const one = yield* launch({ config: yield* launchConfig() })
      yield* follow
      const { id } = (yield* byMint(one.baseMint)).body.data
      const [hasCompared, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const comparing = yield* chainTokens(sql, json).followAll.pipe(
        Effect.andThen(Deferred.succeed(hasCompared, undefined)),
        Effect.andThen(Deferred.await(mayCommit)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(hasCompared)
      const changed = yield* request(`/api/tokens/${id}`, { method: "PATCH", json: { description: "Meanwhile" } })
      const completed = yield* request("/api/tokens", { json: draftOf(one) })
      const other = yield* request("/api/tokens", { json: tokenDraft() })
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(comparing)
      assert.deepStrictEqual([changed.status, completed.status, other.status], [200, 201, 201])
    }),
  )

  it.effect("is compared with every registered token when the changes are unknown", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const token = yield* create()
      const gone = yield* launch({ config: yield* launchConfig() })
      yield* follow
      const { request } = yield* TestServer
      yield* request("/api/tokens", { json: draftOf(gone) })
      const late = yield* launch({ baseMint: token.mintAddress, config: sampleAddress() })
      yield* sql`delete from dbc_pools where pool = ${gone.pool}`
      yield* sql`delete from index_changes where id > (select change_id from server_progress where name = 'registry')`
      yield* sql`update server_progress set must_start_over = true where name = 'registry'`
      yield* follow
      assert.deepInclude((yield* byMint(token.mintAddress)).body.data, { owner: late.creator, pool: late.pool })
      // Completed by a client, it stays registered, but unproven.
      assert.deepInclude((yield* byMint(gone.baseMint)).body.data, { owner: gone.creator, pool: null })
    }),
  )
})
