import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress, seededDraft, SOL } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexTrades, ordinalOf, sampleTrade } from "../launch/IndexedTrades.ts"
import { compareAll, MADE_OF, manyLaunches } from "../launch/ManyLaunches.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"

const DATAPI = "/compat/datapi"
const MINT = SEEDED_MINTS.spl
const { creator, pool } = SEEDED_POOLS.find(({ baseMint }) => baseMint === MINT)!
const ROUTES = ["v1/pools", "v1/txs/{}", "v1/holders/{}", "v1/assets/{}/description", "v2/charts/{}"]

const at = Effect.fn(function* (path: string, json?: object) {
  const { fetch } = yield* TestServer
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(json) }
  const response = yield* fetch(`${DATAPI}/${path}`, json === undefined ? {} : post)
  const text = yield* Effect.promise(() => response.text())
  assert.strictEqual(response.status, 200, text)
  // Its code takes null for 0.
  assert.notInclude(text, "null")
  return JSON.parse(text)
})

layer(TestServer.layer())("Without COMPAT_DATAPI", (it) => {
  it.effect("the routes of the data API are none", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const route of [...ROUTES, "ws"]) {
        const { body, status } = yield* request(`${DATAPI}/${route.replace("{}", MINT)}`)
        assert.deepStrictEqual([status, body.code], [404, "route_not_found"], route)
      }
      const { body, status } = yield* request(`${DATAPI}/v1/pools/gems`, { json: {} })
      assert.deepStrictEqual([status, body.code], [404, "route_not_found"])
    }),
  )
})

/** Is not asked: prices are in the table. */
const NO_SOURCE = { url: Redacted.make("http://127.0.0.1:9/") }

layer(TestServer.layer({ hasDatapi: true, prices: NO_SOURCE, corsOrigins: ["https://app.example"] }))(
  "The data API of the template fun-launch",
  (it) => {
    it.effect("has a launch with its figures in dollars, and leaves out what is not known", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [bare] = (yield* at(`v1/pools?assetIds=${MINT}`)).pools
        assert.deepInclude(bare, { id: pool, createdAt: "1970-01-01T00:00:00.000Z" })
        assert.notProperty(bare.baseAsset, "usdPrice")
        assert.notProperty(bare.baseAsset, "holderCount")
        assert.notProperty(bare.baseAsset.stats24h, "buyVolume")
        const traded = sampleTrade({ baseMint: MINT, pool, quoteReserve: "42500000000", blockTime: new Date() })
        yield* indexTrades([traded])
        yield* sql`insert into trading_windows ${sql.insert({
          ...{ span: "24h", baseMint: MINT, traders: 1, trades: 2, quoteVolume: "3000000000", buyVolume: "1000000000" },
        })}`
        const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
        yield* sql`insert into quote_prices ${sql.insert({ quoteMint: SOL, minute, usd: "150", readAt: new Date() })}`
        const links = { website: "https://sample.example", telegram: "https://t.me/sample" }
        yield* create(seededDraft(MINT, { description: "What it is", ...links }))
        const found = (yield* at(`v1/pools?assetIds=${MINT}`)).pools
        assert.lengthOf(found, 1)
        const { audit, stats24h, ...asset } = found[0].baseAsset
        const { market } = yield* dataAt(`/api/tokens/mint/${MINT}?include=market`)
        assert.isAbove(market.quoteProgress, 0)
        assert.strictEqual(found[0].id, pool)
        assert.approximately(found[0].bondingCurve, market.quoteProgress * 100, 1e-4)
        assert.deepInclude(asset, {
          ...{ id: MINT, launchpad: "met-dbc", dev: creator, website: links.website, telegram: links.telegram },
          ...{ liquidity: 6_375, usdPrice: Number(market.priceUsd), mcap: Number(market.marketCapUsd) },
          ...{ totalSupply: 1_000_000_000, circSupply: 1_000_000_000 },
        })
        assert.notProperty(asset, "graduatedPool")
        assert.approximately(stats24h.buyVolume, 150, 1e-3)
        assert.approximately(stats24h.sellVolume, 300, 1e-3)
        assert.isAbove(stats24h.priceChange, 0)
        assert.isTrue(audit.freezeAuthorityDisabled)
        const [tx] = (yield* at(`v1/txs/${MINT}?`)).txs
        assert.strictEqual(tx.usdPrice, asset.usdPrice)
        assert.approximately(tx.usdVolume, 150 * 5_000e-9, 1e-12)
        assert.isTrue(tx.isValidPrice)
        assert.deepStrictEqual(yield* at(`v1/assets/${MINT}/description`), { description: "What it is" })
        const holders = yield* at(`v1/holders/${MINT}`)
        assert.strictEqual(holders.count, holders.holders.length)
        assert.isAbove(holders.holders[0].amount, 0)
        const [again] = (yield* at(`v1/pools?assetIds=${MINT}`)).pools
        assert.strictEqual(again.baseAsset.holderCount, holders.count)
        assert.isAtMost(again.baseAsset.audit.topHoldersPercentage, 100)
        const share = holders.holders[0].amount / again.baseAsset.totalSupply
        assert.isAtMost(share, 1)
        const chart = `v2/charts/${MINT}?interval=15_MINUTE&baseAsset=${MINT}&from=0&to=${Date.now() + 60_000}&candles=329`
        for (const [type, figure] of [
          ["price", asset.usdPrice],
          ["mcap", asset.mcap],
        ] as const) {
          const { candles } = yield* at(`${chart}&type=${type}`)
          assert.lengthOf(candles, 1)
          assert.strictEqual(candles[0].time % 900, 0)
          for (const of of ["open", "high", "low", "close"]) assert.approximately(candles[0][of], figure, figure * 1e-9)
          assert.approximately(candles[0].volume, 150 * 5_000e-9, 1e-9)
        }
        assert.deepStrictEqual(yield* at(`v2/charts/${MINT}?interval=1_DAY&to=0&candles=5&type=price`), { candles: [] })
      }),
    )

    it.effect("shows what a document of another host says of a launch that nobody registered", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [mint, uri] = [sampleAddress(), "https://tokens.example/1.json"]
        yield* sql`insert into dbc_pools ${sql.insert({
          ...{
            pool: sampleAddress(),
            baseMint: mint,
            quoteMint: SOL,
            config: sampleAddress(),
            creator: sampleAddress(),
          },
          ...{ name: "Other", symbol: "OTH", uri, poolType: 0, createdSlot: 0n, createdAt: new Date(0) },
        })}`
        const said = { image: "https://tokens.example/1.png", website: "https://other.example" }
        yield* sql`
          insert into fetched_documents (mint, uri, site, document, source, fetched_at)
          values (${mint}, ${uri}, 'tokens.example', ${JSON.stringify({ ...said, description: "Of another host" })}::jsonb,
            'tokens.example', now())`
        const [{ baseAsset }] = (yield* at(`v1/pools?assetIds=${mint}`)).pools
        assert.deepInclude(baseAsset, { symbol: "OTH", icon: said.image, website: said.website })
        assert.deepStrictEqual(yield* at(`v1/assets/${mint}/description`), { description: "Of another host" })
      }),
    )

    it.effect("pages trades by a cursor, and by the time of the last row where there is none", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [baseMint, trader] = [sampleAddress(), sampleAddress()]
        const start = Date.parse("2026-11-21T09:30:00Z")
        const trades = Array.from({ length: 120 }, (_, at) =>
          sampleTrade({
            ...{ baseMint, ordinal: ordinalOf(BigInt(at + 100)), blockTime: new Date(start + at * 60_000) },
            ...(at % 3 === 0 && { trader, side: "SELL" as const }),
          }),
        )
        for (const trade of trades) yield* sql`insert into trades ${sql.insert({ ...trade })}`
        yield* sql`
          insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, decimals, created_slot, created_at)
          values (${sampleAddress()}, ${baseMint}, ${SOL}, ${sampleAddress()}, '', '', '', '', 0, 6, 0, 'epoch')`
        const seen: Array<{ readonly txHash: string; readonly timestamp: string }> = []
        let next: string | undefined = ""
        while (next !== undefined) {
          const from: string = seen.length === 0 ? "" : `offset=${next}&offsetTs=${seen.at(-1)!.timestamp}`
          const page = yield* at(`v1/txs/${baseMint}?${from}`)
          assert.isNotEmpty(page.txs)
          seen.push(...page.txs)
          next = page.next
        }
        const newest = trades.toReversed()
        assert.deepStrictEqual(
          seen.map(({ txHash }) => txHash),
          newest.map(({ signature }) => signature),
        )
        assert.deepInclude(seen[0], {
          ...{ timestamp: newest[0]!.blockTime.toISOString(), type: "buy", amount: 1, asset: baseMint },
          ...{ traderAddress: newest[0]!.trader, usdVolume: 0, isValidPrice: false },
        })
        assert.deepStrictEqual(yield* at(`v1/txs/${baseMint}?offsetTs=${seen.at(-1)!.timestamp}`), { txs: [] })
        const range = `fromTs=${trades[30]!.blockTime.toISOString()}&toTs=${trades[60]!.blockTime.toISOString()}`
        const marks = yield* at(`v1/txs/${baseMint}?traderAddress=${trader}&${range}`)
        assert.lengthOf(marks.txs, 10)
        for (const { traderAddress, type } of marks.txs) assert.deepStrictEqual([traderAddress, type], [trader, "sell"])
      }),
    )

    it.effect("lists new, filling and graduated launches of configurations, or of all", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* manyLaunches(200)
        yield* sql`update dbc_pools set migrated_pool = reverse(pool) where migrated_at is not null`
        yield* compareAll
        const lists = ["recent", "aboutToGraduate", "graduated"]
        for (const partnerConfigs of [[], [MADE_OF.configs[1]], [...MADE_OF.configs]]) {
          const asked = Object.fromEntries(lists.map((list) => [list, { timeframe: "24h", partnerConfigs }]))
          const answer = yield* at("v1/pools/gems", asked)
          assert.sameMembers(Object.keys(answer), lists)
          const [recent, filling, graduated] = lists.map((list) => answer[list].pools)
          for (const { length } of [recent, filling]) assert.strictEqual(length, 30)
          const mints = [...recent, ...filling, ...graduated].map(({ baseAsset }) => baseAsset.id as string)
          const known = yield* sql<{ readonly baseMint: string; readonly config: string; readonly stage: string }>`
            select base_mint, config, case when migrated_at is null then 'curve' else 'migrated' end as stage
            from dbc_pools where base_mint = any(${mints}::text[])`
          const of = new Map(known.map((row) => [row.baseMint, row]))
          if (partnerConfigs.length > 0) for (const { config } of known) assert.include(partnerConfigs, config)
          for (const [pools, stage] of [
            [recent, "curve"],
            [filling, "curve"],
            [graduated, "migrated"],
          ] as const) {
            assert.strictEqual(new Set(pools.map(({ id }: { id: string }) => id)).size, pools.length)
            for (const { baseAsset } of pools) {
              assert.strictEqual(of.get(baseAsset.id)!.stage, stage)
              assert.strictEqual(baseAsset.graduatedPool !== undefined, stage === "migrated")
            }
          }
          const isFalling = (values: ReadonlyArray<number>) =>
            values.every((one, at) => at === 0 || one <= values[at - 1]!)
          const timesOf = (pools: ReadonlyArray<{ readonly createdAt: string }>) =>
            pools.map(({ createdAt }) => Date.parse(createdAt))
          assert.isTrue(isFalling(timesOf(recent)))
          assert.isTrue(isFalling(timesOf(graduated)))
          assert.isTrue(isFalling(filling.map(({ bondingCurve }: { bondingCurve: number }) => bondingCurve)))
          for (const one of graduated) {
            assert.notProperty(one, "bondingCurve")
            assert.strictEqual(one.id, one.baseAsset.graduatedPool)
          }
        }
        assert.deepStrictEqual(yield* at("v1/pools/gems", {}), {})
      }),
    )

    it.effect("answers what it does not know emptily", () =>
      Effect.gen(function* () {
        for (const mint of [SOL, sampleAddress()]) {
          assert.deepStrictEqual(yield* at(`v1/pools?assetIds=${mint}`), { pools: [] })
          assert.deepStrictEqual(yield* at(`v1/txs/${mint}?`), { txs: [] })
          assert.deepStrictEqual(yield* at(`v1/assets/${mint}/description`), {})
          assert.deepStrictEqual(yield* at(`v1/holders/${mint}`), { holders: [], count: 0 })
          assert.deepStrictEqual(yield* at(`v2/charts/${mint}?interval=1_DAY&type=price`), { candles: [] })
        }
      }),
    )

    it.effect("refuses what is out of bounds, and says what was expected", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const many = Array.from({ length: 51 }, sampleAddress)
        const refused = [
          ["v1/pools", "query.assetIds"],
          [`v1/pools?assetIds=${many.join(",")}`, "query.assetIds"],
          [`v1/pools?assetIds=${MINT}&ids=${MINT}`, "query.ids"],
          ["v1/txs/nothing", "path.mint"],
          [`v1/txs/${MINT}?offset=AAAA`, "query.cursor"],
          [`v1/txs/${MINT}?toTs=later`, "query.toTs"],
          [`v2/charts/${MINT}?interval=2_DAYS`, "query.interval"],
          [`v2/charts/${MINT}?interval=1_DAY&candles=many`, "query.candles"],
          ["ws", "headers.upgrade"],
        ]
        for (const [path, where] of refused) {
          const { body, status } = yield* request(`${DATAPI}/${path}`)
          assert.deepStrictEqual([status, body.code, body.issues?.[0].path], [400, "invalid_request", where], path)
        }
        for (const [json, where] of [
          [{ recent: { partnerConfigs: many.slice(0, 21) } }, "body.recent.partnerConfigs"],
          [{ recent: { minMcap: 1 } }, "body.recent.minMcap"],
          [{ trending: {} }, "body.trending"],
          [{ recent: { timeframe: "1y" } }, "body.recent.timeframe"],
        ] as const) {
          const { body, status } = yield* request(`${DATAPI}/v1/pools/gems`, { json })
          assert.deepStrictEqual([status, body.code, body.issues[0].path], [400, "invalid_request", where])
        }
      }),
    )

    it.effect("may be read by the pages that may read the API", () =>
      Effect.gen(function* () {
        const { fetch } = yield* TestServer
        for (const [origin, allowed] of [
          ["https://app.example", "https://app.example"],
          ["https://other.example", null],
        ] as const) {
          const { headers } = yield* fetch(`${DATAPI}/v1/pools?assetIds=${MINT}`, { headers: { origin } })
          assert.strictEqual(headers.get("access-control-allow-origin"), allowed)
        }
      }),
    )
  },
)
