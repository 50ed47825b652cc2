import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import type { Market } from "@launch-registry/domain/pools/Market"
import type { Token } from "@launch-registry/domain/tokens/Token"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool, indexTrades, ordinalOf, sampleTrade } from "../launch/IndexedTrades.ts"
import { create, dataAt } from "./TokenRequests.ts"

/** Every read that takes the parameter, for a token. */
const readsOf = ({ id, mintAddress, owner }: { id: string; mintAddress: string; owner: string }) => [
  ...[`/api/tokens/${id}`, `/api/tokens/mint/${mintAddress}`, `/api/tokens?mintAddresses=${mintAddress}`],
  ...[
    `/api/tokens?mintAddresses=${mintAddress}&limit=5`,
    `/api/tokens/address/${owner}`,
    `/api/tokens/popular?limit=100`,
  ],
  ...[`/api/tokens/search?q=${mintAddress}`],
]

const including = (path: string, include: string) => `${path}${path.includes("?") ? "&" : "?"}include=${include}`

/** The market in any of these answers. */
const marketIn = (answer: unknown, mint: string): Market | null | undefined =>
  ([answer].flat() as ReadonlyArray<{ readonly mintAddress: string; readonly market?: Market | null }>).find(
    ({ mintAddress }) => mintAddress === mint,
  )?.market

layer(TestServer.layer())("A token", (it) => {
  it.effect("has its links in every list", () =>
    Effect.gen(function* () {
      const links = {
        tokenUri: "https://example.com/t.json",
        bannerUri: "ipfs://bafkqaaa",
        website: "https://example.com",
        twitter: "https://x.com/example",
        telegram: "",
      }
      const token = yield* create({ mintAddress: sampleAddress(), ...links })
      for (const path of readsOf(token)) {
        const rows = [yield* dataAt(path)].flat() as ReadonlyArray<Token>
        const row = rows.find(({ mintAddress }) => mintAddress === token.mintAddress)
        assert.deepStrictEqual(row?.metadata, links, path)
      }
    }),
  )
})

layer(TestServer.layer())("include=market", (it) => {
  it.effect("adds it to every read of tokens, and to nothing without it", () =>
    Effect.gen(function* () {
      const mintAddress = sampleAddress()
      const token = yield* create({ mintAddress })
      yield* indexPool(mintAddress, { decimals: 6 })
      for (const path of readsOf(token)) {
        assert.isUndefined(marketIn(yield* dataAt(path), mintAddress), path)
        const market = marketIn(yield* dataAt(including(path, "market")), mintAddress)
        assert.deepInclude(market, { stage: "curve", trades24h: 0 }, path)
      }
    }),
  )

  it.effect("takes known values alone", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const path of readsOf(yield* create()))
        for (const include of ["holders", "market,holders", "market,", Array(11).fill("market").join()]) {
          const { body, status } = yield* request(including(path, include))
          assert.deepStrictEqual([status, body.issues?.[0].path], [400, "query.include"], `${path} ${include}`)
        }
    }),
  )

  it.effect("has an ETag that the next trade makes invalid", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const sql = yield* SqlClient
      const mintAddress = sampleAddress()
      const token = yield* create({ mintAddress })
      yield* indexPool(mintAddress, { decimals: 6 })
      yield* indexTrades([sampleTrade({ baseMint: mintAddress, ordinal: ordinalOf(5n) })])
      const paths = readsOf(token).map((path) => including(path, "market"))
      const etags = new Map<string, string>()
      for (const path of paths) {
        const etag = (yield* fetch(path)).headers.get("etag")!
        for (let times = 0; times < 3; times++)
          assert.strictEqual((yield* fetch(path, { headers: { "if-none-match": etag } })).status, 304, path)
        etags.set(path, etag)
      }
      const next = sampleTrade({ baseMint: mintAddress, ordinal: ordinalOf(6n), nextSqrtPrice: "99362933813224380" })
      yield* sql`insert into trades ${sql.insert({ ...next })}`
      for (const path of paths) {
        const changed = yield* fetch(path, { headers: { "if-none-match": etags.get(path)! } })
        assert.strictEqual(changed.status, 200, path)
        const body = (yield* Effect.promise(() => changed.json())) as { readonly data: unknown }
        assert.strictEqual(marketIn(body.data, mintAddress)!.price, priceInQuote(99362933813224380n, 6, 9), path)
      }
    }),
  )

  it.effect("works for whole lists", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = sampleAddress()
      const stem = sampleAddress().slice(0, -5)
      const count = 1_200
      yield* sql`
        insert into tokens (id, mint_address, name, symbol, description, total_supply, decimals, owner, launchpad, created_at,
          updated_at)
        select gen_random_uuid(), ${stem} || replace((10000 + n)::text, '0', 'z'), 'Many', 'MANY', '', 1, 6, ${owner},
          'launchpad_a', now(), now()
        from generate_series(1, ${count}::integer) n`
      yield* sql`
        insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, decimals, created_slot, created_at)
        select translate(mint_address, 'z', 'y'), mint_address, ${sampleAddress()}, ${sampleAddress()}, '', '', '', '', 0,
          6, 0, 'epoch'
        from tokens where owner = ${owner} and mint_address like '%2'`
      const all = (yield* dataAt(`/api/tokens/address/${owner}?include=market`)) as ReadonlyArray<{
        readonly mintAddress: string
        readonly market: Market | null
      }>
      assert.lengthOf(all, count)
      for (const { market, mintAddress } of all)
        assert.strictEqual(market?.pool, mintAddress.endsWith("2") ? mintAddress.replaceAll("z", "y") : undefined)
    }),
  )
})
