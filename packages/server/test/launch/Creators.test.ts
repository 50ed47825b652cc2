import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { listings } from "../../src/markets/Listings.ts"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool } from "./IndexedTrades.ts"

const read = Effect.fnUntraced(function* (creator: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/creators/${creator}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.data
})

layer(TestServer.layer())("Figures of a creator", (it) => {
  it.effect("are those of its launches, their volume and its claims", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const [creator, other, usd] = [sampleAddress(), sampleAddress(), sampleAddress()]
      const mints = Array.from({ length: 4 }, () => sampleAddress())
      for (const mint of mints) yield* indexPool(mint, {})
      yield* sql`update dbc_pools set creator = ${creator} where base_mint = any(${mints.slice(0, 3)}::text[])`
      yield* sql`update dbc_pools set creator = ${other} where base_mint = ${mints[3]!}`
      yield* sql`update dbc_pools set quote_mint = ${usd} where base_mint = ${mints[2]!}`
      yield* sql`
        update dbc_pools set migrated_slot = 5, migrated_at = now(), completed_slot = 4,
          migrated_pool = ${sampleAddress()} where base_mint = ${mints[0]!}`
      yield* sql`
        insert into candles (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume,
          quote_volume, trades)
        select mint, seconds, to_timestamp(0), 1, 1, 1, 1, 1, 1, 1, 1000 * at + seconds, 1
        from unnest(${mints}::text[]) with ordinality m (mint, at), unnest(array[0, 60]) s (seconds)`
      yield* sql`
        insert into fee_claims (ordinal, signature, kind, venue, pool, wallet, quote_mint, base_amount, quote_amount, block_time)
        select n, 'signature', kind, 'dbc', ${other}, wallet, ${SOL}, 0, amount, now() from (values
          (1, 'trading_fee', ${creator}, 18446744073709551610), (2, 'trading_fee', ${creator}, 3), (3, 'trading_fee', ${creator}, 4),
          (4, 'surplus', ${creator}, 5), (5, 'surplus', ${other}, 9)) c (n, kind, wallet, amount)`
      // A leftover is in base tokens, which are not counted.
      yield* sql`
        insert into fee_claims (ordinal, signature, kind, venue, pool, wallet, base_amount, quote_amount, block_time)
        values (6, 'signature', 'leftover', 'dbc', ${other}, ${creator}, 7, 0, now())`
      const { isListed } = yield* listings(sql).step
      assert.isTrue(isListed)
      const figures = yield* read(creator)
      assert.deepStrictEqual(figures, {
        ...{ creator, launches: 3, graduated: 1, graduatedShare: 1 / 3, isWhole: true },
        volumes: [
          { quoteMint: SOL, launches: 2, quoteVolume: "3000" },
          { quoteMint: usd, launches: 1, quoteVolume: "3000" },
        ],
        earned: [
          { quoteMint: SOL, kind: "surplus", claims: "1", quoteAmount: "5" },
          { quoteMint: SOL, kind: "trading_fee", claims: "3", quoteAmount: "18446744073709551617" },
        ],
        links: {
          launches: `/api/launch/pools?creator=${creator}&registered=any`,
          claims: `/api/launch/claims?walletAddress=${creator}`,
        },
      })
      for (const link of Object.values(figures.links as Readonly<Record<string, string>>))
        assert.strictEqual((yield* request(link)).status, 200, link)
      assert.lengthOf((yield* request(figures.links.launches)).body.data, 3)
      const nobody = sampleAddress()
      assert.deepInclude(yield* read(nobody), {
        launches: 0,
        graduatedShare: null,
        isWhole: true,
        volumes: [],
        earned: [],
      })
    }),
  )
})
