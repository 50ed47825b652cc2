import { assert, layer } from "@effect/vitest"
import type { FeeClaim } from "@launch-registry/domain/launch/FeeClaims"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress, sampleSignature } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool, ordinalOf } from "./IndexedTrades.ts"

interface Claim {
  readonly slot: bigint
  readonly pool: string
  readonly wallet: string
  readonly venue?: "dbc" | "damm_v2"
  readonly position?: string
}

const indexClaim = Effect.fnUntraced(function* ({ pool, position, slot, venue = "dbc", wallet }: Claim) {
  const sql = yield* SqlClient
  const signature = sampleSignature()
  const [kind, party] = position === undefined ? ["surplus", "creator"] : ["position_fee", null]
  yield* sql`
    insert into fee_claims (ordinal, signature, kind, party, venue, pool, wallet, quote_mint, position, base_amount,
      quote_amount, block_time)
    values (${ordinalOf(slot)}, ${signature}, ${kind}, ${party}, ${venue}, ${pool}, ${wallet}, ${SOL}, ${position ?? null},
      0, 7, '2026-11-21T09:30:00Z')`
  return signature
})

const read = Effect.fnUntraced(function* (query: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/claims${query}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body as {
    readonly data: ReadonlyArray<FeeClaim>
    readonly pagination: { readonly nextCursor: string | null }
  }
})

const signatures = Effect.fnUntraced(function* (query: string) {
  const found: Array<string> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Effect.Success<ReturnType<typeof read>> = yield* read(`${query}${cursor}`)
    found.push(...page.data.map(({ signature }) => signature))
    cursor = page.pagination.nextCursor === null ? null : `&cursor=${page.pagination.nextCursor}`
  }
  return found
})

layer(TestServer.layer())("Claims of fees", (it) => {
  it.effect("are listed newest first, by wallet, by mint on both venues, and by both", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [mint, other, creator, partner] = [sampleAddress(), sampleAddress(), sampleAddress(), sampleAddress()]
      const [migrated, position, unknown] = [sampleAddress(), sampleAddress(), sampleAddress()]
      for (const baseMint of [mint, other]) yield* indexPool(baseMint, {})
      yield* sql`update dbc_pools set migrated_pool = ${migrated} where base_mint = ${mint}`
      const pools = yield* sql<{ baseMint: string; pool: string }>`
        select base_mint, pool from dbc_pools where base_mint = any(${[mint, other]}::text[])`
      const poolOf = (baseMint: string) => pools.find((one) => one.baseMint === baseMint)!.pool
      const first = yield* indexClaim({ slot: 10n, pool: poolOf(mint), wallet: creator })
      const second = yield* indexClaim({ slot: 11n, pool: poolOf(mint), wallet: partner })
      const third = yield* indexClaim({ slot: 12n, pool: poolOf(other), wallet: creator })
      const fourth = yield* indexClaim({ slot: 13n, pool: migrated, wallet: creator, venue: "damm_v2", position })
      const fifth = yield* indexClaim({ slot: 14n, pool: unknown, wallet: partner })
      for (const limit of [1, 2, 100]) {
        const all = yield* signatures(`?limit=${limit}`)
        assert.deepStrictEqual(all.slice(0, 5), [fifth, fourth, third, second, first])
        assert.deepStrictEqual(yield* signatures(`?walletAddress=${creator}&limit=${limit}`), [fourth, third, first])
        assert.deepStrictEqual(yield* signatures(`?mintAddress=${mint}&limit=${limit}`), [fourth, second, first])
        const both = `?mintAddress=${mint}&walletAddress=${creator}&limit=${limit}`
        assert.deepStrictEqual(yield* signatures(both), [fourth, first])
      }
      assert.deepStrictEqual(yield* signatures(`?mintAddress=${sampleAddress()}&limit=2`), [])
      const [claim] = (yield* read(`?mintAddress=${other}`)).data
      assert.deepStrictEqual(claim as unknown, {
        ...{ signature: third, slot: "12", time: "2026-11-21T09:30:00.000Z", kind: "surplus", party: "creator" },
        ...{ wallet: creator, mintAddress: other, quoteMint: SOL, venue: "dbc", pool: poolOf(other), position: null },
        ...{ baseAmount: "0", quoteAmount: "7", finality: "confirmed" },
      })
      assert.isNull((yield* read(`?walletAddress=${partner}&limit=1`)).data[0]!.mintAddress)
      // A leftover's instruction names no quote token: the pool does, where it is indexed.
      yield* sql`update fee_claims set quote_mint = null where signature in ${sql.in([third, fifth])}`
      assert.strictEqual((yield* read(`?mintAddress=${other}`)).data[0]!.quoteMint, SOL)
      assert.isNull((yield* read(`?walletAddress=${partner}&limit=1`)).data[0]!.quoteMint)
    }),
  )

  it.effect("show the base token of a position on the migrated pool, and go by the proof of that pool", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [mint, migrated, wallet] = [sampleAddress(), sampleAddress(), sampleAddress()]
      yield* indexPool(mint, {})
      yield* sql`update dbc_pools set migrated_pool = ${migrated} where base_mint = ${mint}`
      yield* indexClaim({ slot: 20n, pool: migrated, wallet, venue: "damm_v2", position: sampleAddress() })
      const [before] = (yield* read(`?walletAddress=${wallet}`)).data
      assert.deepInclude(before, { mintAddress: mint, party: null, kind: "position_fee", finality: "confirmed" })
      yield* sql`
        insert into coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
        values (${migrated}, 1, 30, 'test', now(), 0)`
      const [after] = (yield* read(`?walletAddress=${wallet}`)).data
      assert.strictEqual(after!.finality, "finalized")
    }),
  )
})
