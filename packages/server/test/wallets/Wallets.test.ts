import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { listings } from "../../src/markets/Listings.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress, seededDraft, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool, learnCurve, ordinalOf, sampleTrade } from "../launch/IndexedTrades.ts"

const read = Effect.fnUntraced(function* (path: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/wallets/${path}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
})

const [{ baseMint, config, creator, pool }] = SEEDED_POOLS as [(typeof SEEDED_POOLS)[number]]

layer(TestServer.layer())("The tokens of a wallet", (it) => {
  it.effect("are what it traded and launched, with what it holds, sums of its trades and fees to claim", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const other = sampleAddress()
      const unregistered = sampleAddress()
      assert.strictEqual((yield* request("/api/tokens", { json: seededDraft(baseMint) })).status, 201)
      assert.strictEqual((yield* request("/api/tokens", { json: tokenDraft({ mintAddress: other }) })).status, 201)
      assert.lengthOf(yield* sql`select from dbc_pools where pool = ${pool} and creator = ${creator}`, 1)
      yield* learnCurve(config)
      yield* indexPool(other, { decimals: 6 })
      yield* indexPool(unregistered, { decimals: 6 })
      const trades = [
        sampleTrade({ baseMint: other, trader: creator, ordinal: ordinalOf(5n), baseAmount: "7", quoteAmount: "70" }),
        sampleTrade({ baseMint: other, trader: creator, ordinal: ordinalOf(6n), baseAmount: "8", quoteAmount: "80" }),
        sampleTrade({ baseMint: other, trader: creator, ordinal: ordinalOf(7n), side: "SELL", baseAmount: "5" }),
        sampleTrade({ baseMint: other, ordinal: ordinalOf(8n) }),
        sampleTrade({ baseMint: unregistered, trader: creator, ordinal: ordinalOf(9n) }),
      ]
      for (const trade of trades) yield* sql`insert into trades ${sql.insert({ ...trade })}`
      yield* listings(sql).step
      const { data, pagination, wallet } = yield* read(creator)
      assert.deepStrictEqual(pagination, { limit: 25, nextCursor: null })
      assert.deepStrictEqual(
        data.map(({ mintAddress }: { readonly mintAddress: string }) => mintAddress),
        [other, baseMint],
      )
      const [traded, launched] = data
      assert.deepInclude(traded, {
        ...{ isCreator: false, amount: "0", value: "0", trades: 3, claimable: [] },
        bought: { baseAmount: "15", quoteAmount: "150" },
        sold: { baseAmount: "5", quoteAmount: "5000" },
        lastTradeAt: "2026-11-21T09:30:00.000Z",
      })
      assert.strictEqual(launched.isCreator, true)
      const fees = (yield* request(`/api/launch/pool/${SEEDED_MINTS.spl}/fees`)).body.data.fees
      const mine = fees.filter(
        ({ owner, state }: { readonly owner: string; readonly state: string }) =>
          owner === creator && state === "claimable",
      )
      assert.isNotEmpty(mine)
      assert.deepStrictEqual(launched.claimable, mine)
      assert.match(launched.amount, /^\d+$/)
      assert.deepInclude(wallet, { address: creator, launches: 1, trades: 4, isWhole: true, unread: null })
      assert.match(wallet.slot, /^\d+$/)
      for (const link of Object.values(wallet.links as Readonly<Record<string, string>>))
        assert.strictEqual((yield* request(link)).status, 200, link)
      // A trade after the first page moves no token into the next one.
      const first = yield* read(`${creator}?limit=1`)
      const late = sampleTrade({ baseMint, trader: creator, ordinal: ordinalOf(20n) })
      yield* sql`insert into trades ${sql.insert({ ...late })}`
      const second = yield* read(`${creator}?limit=1&cursor=${first.pagination.nextCursor}`)
      assert.deepStrictEqual([first.data[0].mintAddress, second.data[0].mintAddress], [other, baseMint])
      assert.isNull(second.pagination.nextCursor)
      assert.strictEqual((yield* read(`${creator}?limit=1`)).data[0].mintAddress, baseMint)
      // Who holds most of the seeded token is told what it is worth.
      const holders = (yield* request(`/api/tokens/holders/${baseMint}?include=balances`)).body.data
      const holder = holders[0]
      const bought = sampleTrade({ baseMint, trader: holder.address, ordinal: ordinalOf(21n) })
      yield* sql`insert into trades ${sql.insert({ ...bought })}`
      const held = (yield* read(holder.address)).data[0]
      assert.strictEqual(held.amount, holder.amount)
      assert.isAbove(Number(held.value), 0)
      assert.isNull(held.valueUsd)
    }),
  )

  it.effect("and its balances are those of the chain, of mints that the index does not know, too", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const [holder] = (yield* request(`/api/tokens/holders/${baseMint}?include=balances`)).body.data
      const { data } = yield* read(`${holder.address}/balances?mintAddresses=${SOL},${baseMint}`)
      assert.deepStrictEqual(data.tokens, [
        { mintAddress: SOL, amount: "0" },
        { mintAddress: baseMint, amount: holder.amount },
      ])
      assert.match(data.slot, /^\d+$/)
      assert.match(data.lamports, /^\d+$/)
      const nobody = (yield* read(`${sampleAddress()}/balances`)).data
      assert.deepInclude(nobody, { lamports: "0", tokens: [] })
      const many = Array.from({ length: 50 }, () => SOL).join(",")
      for (const mints of ["nonsense", many])
        assert.strictEqual((yield* request(`/api/wallets/${SOL}/balances?mintAddresses=${mints}`)).status, 400)
    }),
  )

  it.effect("are none for an address that nothing is known of", () =>
    Effect.gen(function* () {
      const nobody = sampleAddress()
      const { data, wallet } = yield* read(nobody)
      assert.deepStrictEqual(data, [])
      assert.deepInclude(wallet, { launches: 0, trades: 0, isWhole: true, slot: null, unread: null })
      const { request } = yield* TestServer
      for (const path of ["nonsense", `${SOL}?limit=26`, `${SOL}?cursor=x`])
        assert.strictEqual((yield* request(`/api/wallets/${path}`)).status, 400, path)
    }),
  )
})

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }), { excludeTestServices: true })(
  "While no RPC answers",
  (it) => {
    it.effect("amounts and fees of a wallet are unknown and not empty, and what is indexed is there", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { request } = yield* TestServer
        assert.strictEqual((yield* request("/api/tokens", { json: seededDraft(baseMint) })).status, 201)
        yield* listings(sql).step
        const { data, wallet } = yield* read(creator)
        const unknown = { amount: null, value: null, valueUsd: null, claimable: null }
        assert.lengthOf(data, 1)
        assert.deepInclude(data[0], { mintAddress: baseMint, isCreator: true, trades: 0, ...unknown })
        assert.deepInclude(wallet, { launches: 1, slot: null, unread: "chain_unavailable" })
        assert.strictEqual((yield* request(`/api/wallets/${creator}/balances`)).status, 503)
      }),
    )
  },
)
