import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import type { Launch } from "@launch-registry/domain/launch/Launch"
import type { TrustReport } from "@launch-registry/domain/trust/TrustReport"
import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { counted } from "../../../chain/test/launch/CountedChain.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { compareAll } from "../launch/ManyLaunches.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import { compareNames } from "./CompareNames.ts"

const reportOf = (mint: string) => Effect.map(dataAt(`/api/tokens/trust/${mint}`), (data) => data as TrustReport)

layer(TestServer.layer({ stage: "mid" }))("The report of a token", (it) => {
  it.effect("has what tables and chain say of a launch, registered or not", () =>
    Effect.gen(function* () {
      yield* compareNames
      yield* compareAll
      for (const [kind, mint] of Object.entries(SEEDED_MINTS)) {
        const { creator } = SEEDED_POOLS.find(({ baseMint }) => baseMint === mint)!
        const report = yield* reportOf(mint)
        assert.strictEqual(report.mintAddress as string, mint)
        assert.deepInclude(report, { verified: false, unsafeText: [] })
        assert.deepInclude(report.mint, {
          ...{ program: kind === "spl" ? "spl_token" : "token_2022", mintAuthority: null, freezeAuthority: null },
        })
        assert.strictEqual(report.metadata!.source, kind === "spl" ? "metaplex" : "token_2022")
        assert.strictEqual(report.configTokenUpdateAuthority, 1)
        const path = `/api/launch/pools?registered=any&mintAddresses=${mint}&include=market,trust`
        // Lists learn what configurations say a moment later.
        const [row] = yield* Effect.repeat(
          Effect.map(dataAt(path), (data) => data as ReadonlyArray<Launch>),
          { until: ([listed]) => listed!.trust!.authorities!.configTokenUpdateAuthority !== null },
        )
        assert.deepInclude(row!.trust!.authorities, {
          ...{ configTokenUpdateAuthority: 1, mintAuthorityDisabled: true, freezeAuthorityDisabled: true },
          isMutable: report.metadata!.isMutable,
        })
        assert.deepInclude(report.liquidity, {
          basis: "configuration",
          vestingShare: 0,
          unknownShare: 0,
          positions: [],
        })
        const { permanentLockedShare, unlockedShare } = report.liquidity!
        assert.deepStrictEqual([permanentLockedShare, unlockedShare], kind === "spl" ? [1, 0] : [0.5, 0.5])
        assert.strictEqual(report.firstSlot!.slot, "0")
        assert.match(report.slot, /^[1-9]\d*$/)
        const holders = (yield* dataAt(`/api/tokens/holders/${mint}?include=balances`)) as ReadonlyArray<{
          readonly address: string
          readonly share: number
        }>
        assert.isNotEmpty(holders)
        assert.strictEqual(report.holders!.count, holders.length)
        const top = holders.slice(0, 10).reduce((sum, { share }) => sum + share, 0)
        assert.approximately(report.holders!.top10Share, top, 1e-5)
        const own = holders.find(({ address }) => address === creator)
        assert.strictEqual(report.holders!.creatorShare, own?.share ?? 0)
      }
    }),
  )

  it.effect("of a token that is not on chain says so, and of nothing there is none", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { mintAddress } = yield* create()
      assert.deepInclude(yield* reportOf(mintAddress), {
        ...{
          mint: null,
          metadata: null,
          holders: null,
          configTokenUpdateAuthority: null,
          firstSlot: null,
          liquidity: null,
        },
      })
      const nothing = yield* request(`/api/tokens/trust/${sampleAddress()}`)
      assert.deepStrictEqual([nothing.status, nothing.body.code], [404, "not_found"])
      assert.strictEqual((yield* request("/api/tokens/trust/nothing")).status, 400)
    }),
  )
})

layer(LocalChain.layer({ stage: "migrated" }), { excludeTestServices: true })("Of a migrated pool", (it) => {
  it.effect("the report has its liquidity, by one request once the pool is known", () =>
    Effect.gen(function* () {
      const { methods, url } = yield* counted((yield* LocalChain).url)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const report = reportOf(SEEDED_MINTS.spl)
        const { liquidity } = yield* report
        assert.deepInclude(liquidity, { basis: "pool", permanentLockedShare: 1, unknownShare: 0, positions: null })
        const { pool } = SEEDED_POOLS.find(({ baseMint }) => baseMint === SEEDED_MINTS.spl)!
        const facts = { firstPositionMint: sampleAddress(), secondPositionMint: null }
        yield* sql`
          insert into dbc_events (ordinal, signature, type, pool, facts, block_time)
          values (1, 'migration', 'PoolMigrated', ${pool}, ${JSON.stringify(facts)}::jsonb, now())`
        methods.length = 0
        // The migration is indexed; a position that is not on chain is none.
        assert.deepStrictEqual((yield* report).liquidity, { ...liquidity!, positions: [] })
        assert.deepStrictEqual(
          methods.filter((method) => method === "getMultipleAccounts"),
          ["getMultipleAccounts"],
        )
      }).pipe(Effect.provide(TestServer.layer({ rpcUrl: url }).pipe(Layer.provideMerge(TestDatabase.layer))))
    }),
  )
})

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }))("Without a chain", (it) => {
  it.effect("there is no report, while lists have what the tables say", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { id, mintAddress } = yield* create()
      const refused = yield* request(`/api/tokens/trust/${mintAddress}`)
      assert.deepStrictEqual([refused.status, refused.body.details?.service], [503, "chain"])
      assert.isObject((yield* dataAt(`/api/tokens/${id}?include=trust`)).trust)
    }),
  )
})
