import { marketCapInQuote, priceInQuote } from "@launch-registry/chain/venues/Prices"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { Market } from "@launch-registry/domain/pools/Market"
import type { SeedStage } from "@launch-registry/chain/localnet/SeedAccounts"
import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { SOL, sampleAddress, seededDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import {
  type IndexedTrade,
  indexPool,
  indexTrades,
  learnCurve,
  ordinalOf,
  randomTrades,
  sampleTrade,
} from "./IndexedTrades.ts"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const marketOf = (mint: string) =>
  Effect.map(dataAt(`/api/tokens/mint/${mint}?include=market`), ({ market }) => market as Market | null)

/** Once what its configuration says has been read from the chain. */
const learnedMarketOf = (mint: string) =>
  Effect.map(Effect.repeat(marketOf(mint), { until: (market) => market?.marketCap !== null }), (market) => market!)

const SPANS = { "5m": 5 * MINUTE, "1h": 60 * MINUTE, "6h": 360 * MINUTE, "24h": DAY } as const

/** Counts trades as the indexer does. */
const countSpans = Effect.fnUntraced(function* (trades: ReadonlyArray<IndexedTrade>) {
  const sql = yield* SqlClient
  const counted: Record<string, string | number> = {}
  const baseMint = trades[0]!.baseMint
  for (const [span, millis] of Object.entries(SPANS)) {
    const recent = trades.filter(({ blockTime }) => blockTime.getTime() > Date.now() - millis)
    const volume = (of: ReadonlyArray<IndexedTrade>) =>
      String(of.reduce((sum, { quoteAmount }) => sum + BigInt(quoteAmount), 0n))
    const [bought, sold] = (["BUY", "SELL"] as const).map((side) =>
      volume(recent.filter((trade) => trade.side === side)),
    )
    const row = { span, baseMint, traders: 1, trades: recent.length, quoteVolume: volume(recent), buyVolume: bought! }
    yield* sql`insert into trading_windows ${sql.insert(row)}`
    Object.assign(counted, { [`buyVolume${span}`]: bought, [`sellVolume${span}`]: sold })
    if (span === "24h") Object.assign(counted, { quoteVolume24h: row.quoteVolume, trades24h: row.trades })
  }
  return counted
})

for (const stage of ["fresh", "mid", "complete", "migrated"] satisfies ReadonlyArray<SeedStage>)
  layer(TestServer.layer({ stage }))(`The market of a token at stage ${stage}`, (it) => {
    it.effect("has the figures of the reads of its pool", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const mint of Object.values(SEEDED_MINTS)) {
          yield* create(seededDraft(mint))
          const state = yield* dataAt(`/api/launch/pool/state/${mint}`)
          const config = yield* dataAt(`/api/launch/pool/config/${mint}`)
          if (stage !== "fresh") {
            const { sqrtPrice: nextSqrtPrice } = state.migratedPool ?? state
            const after = { nextSqrtPrice, quoteReserve: state.quoteReserve }
            yield* indexTrades([sampleTrade({ baseMint: mint, pool: state.pool, ...after })])
          }
          if (stage === "complete" || stage === "migrated")
            yield* sql`update dbc_pools set completed_slot = 2 where base_mint = ${mint}`
          if (stage === "migrated")
            yield* sql`
              update dbc_pools set migrated_slot = 3, migrated_at = now(), migrated_pool = ${state.graduatedPool}
              where base_mint = ${mint}`
          const market = yield* learnedMarketOf(mint)
          assert.deepInclude(market, {
            ...{ pool: state.pool, quoteMint: state.quoteMint, price: state.price, marketCap: state.marketCap },
            ...{ quoteProgress: state.quoteProgress, quoteReserve: state.quoteReserve, quoteDecimals: 9 },
            ...{ migrationQuoteThreshold: config.migrationQuoteThreshold, graduatedPool: state.graduatedPool },
            stage: stage === "complete" ? "completed" : stage === "migrated" ? "migrated" : "curve",
          })
          assert.strictEqual(market.quoteProgress === 1, state.isComplete)
        }
      }),
    )
  })

layer(TestServer.layer())("The market of a token", (it) => {
  it.effect("agrees with its trades, whatever the decimals of its tokens", () =>
    Effect.gen(function* () {
      for (const [seed, baseDecimals, quoteDecimals] of [
        [1, 6, 9],
        [2, 9, 6],
        [3, 0, 18],
      ] as const) {
        const random = randomOf(seed)
        const config = sampleAddress()
        const baseMint = sampleAddress()
        const quoteMint = (quoteDecimals === 9 ? SOL : sampleAddress()) as Address
        yield* create({ mintAddress: baseMint })
        yield* indexPool(baseMint, { config, quoteMint, decimals: baseDecimals })
        const { migrationQuoteThreshold, supply } = yield* learnCurve(config, { baseDecimals, quoteDecimals })
        const made = randomTrades(random, 300, baseMint)
        const latest = Math.max(...made.map(({ blockTime }) => blockTime.getTime()))
        const shift = Math.floor((Date.now() - latest) / MINUTE) * MINUTE
        const edges = Object.entries(SPANS).map(([span, millis]) => [span, Date.now() - millis] as const)
        const trades = made
          .map((trade) => ({
            ...trade,
            quoteReserve: String(1 + random(85e9)),
            blockTime: new Date(trade.blockTime.getTime() + shift),
          }))
          // The clock goes on while this runs.
          .filter(({ blockTime }) => edges.every(([, edge]) => Math.abs(blockTime.getTime() - edge) > 2 * MINUTE))
        yield* indexTrades(trades)
        const counted = yield* countSpans(trades)
        const inOrder = trades.toSorted((a, b) => (a.ordinal < b.ordinal ? -1 : 1))
        const last = inOrder.at(-1)!
        const market = (yield* marketOf(baseMint))!
        for (const [span, edge] of edges) {
          const before = inOrder.findLast(({ blockTime }) => blockTime.getTime() < edge)!
          const [from, to] = [before, last].map(({ nextSqrtPrice }) => Number(nextSqrtPrice) ** 2) as [number, number]
          const change = market[`priceChange${span}` as "priceChange24h"]
          assert.approximately(change!, (to / from - 1) * 100, 0.01, span)
        }
        const sqrtPrice = BigInt(last.nextSqrtPrice)
        assert.deepInclude(market, {
          ...{ quoteMint, quoteDecimals, stage: "curve", migrationQuoteThreshold, graduatedPool: null, imageUri: null },
          price: priceInQuote(sqrtPrice, baseDecimals, quoteDecimals),
          marketCap: marketCapInQuote(sqrtPrice, BigInt(supply), quoteDecimals),
          quoteReserve: last.quoteReserve,
          quoteProgress: Math.floor((Number(last.quoteReserve) / Number(migrationQuoteThreshold)) * 1e6) / 1e6,
          ...{ ...counted, lastTradeAt: last.blockTime.toISOString() },
        })
        if (quoteMint !== SOL) continue
        const pool = `/api/launch/pool/${baseMint}`
        assert.strictEqual(market.price, (yield* dataAt(`${pool}/trades?limit=1`))[0].price)
        assert.strictEqual(market.price, (yield* dataAt(`${pool}/candles?limit=1`))[0].close)
      }
    }),
  )

  it.effect("goes on after the migration, by the trades on the AMM pool; what was raised stays", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [followed, early] = [sampleAddress(), sampleAddress()]
      const config = sampleAddress()
      const { migrationQuoteThreshold, supply } = yield* learnCurve(config)
      const raised = String(BigInt(migrationQuoteThreshold) + 1n)
      const at = (millis: number) => new Date(Math.floor((Date.now() - millis) / MINUTE) * MINUTE)
      for (const baseMint of [followed, early]) {
        yield* create({ mintAddress: baseMint })
        yield* indexPool(baseMint, { config, decimals: 6 })
        const onCurve = { baseMint, quoteReserve: raised, nextSqrtPrice: "300000000000000000" }
        const onAmm = { baseMint, venue: "damm_v2", pool: sampleAddress(), quoteReserve: "7" } as const
        const trades = [
          sampleTrade({ ...onCurve, ordinal: ordinalOf(5n), blockTime: at(2 * DAY) }),
          sampleTrade({ ...onAmm, ordinal: ordinalOf(9n), nextSqrtPrice: "600000000000000000", blockTime: at(MINUTE) }),
        ]
        yield* indexTrades(trades)
        yield* countSpans(trades)
      }
      const [{ pool }] = yield* sql<{ pool: string }>`
        update dbc_pools set completed_slot = 5, migrated_slot = 6, migrated_at = now(),
          migrated_pool = ${sampleAddress()}
        where base_mint = ${followed} returning pool`.pipe(Effect.map((rows) => rows as [{ pool: string }]))
      const completion = {
        type: "CurveComplete",
        facts: JSON.stringify({ quoteReserve: raised }),
        blockTime: at(2 * DAY),
      }
      yield* sql`
        insert into dbc_events ${sql.insert({ ordinal: ordinalOf(5n), signature: "s", pool, config, ...completion })}`
      const sqrtPrice = 600_000_000_000_000_000n
      const figures = {
        price: priceInQuote(sqrtPrice, 6, 9),
        marketCap: marketCapInQuote(sqrtPrice, BigInt(supply), 9),
        ...{ priceChange24h: 300, trades24h: 1, quoteVolume24h: "5000", quoteProgress: 1 },
        lastTradeAt: at(MINUTE).toISOString(),
      }
      assert.deepInclude(yield* marketOf(followed), { ...figures, stage: "migrated", quoteReserve: raised })
      // Trades on the AMM pool were received before the completion and the migration.
      assert.deepInclude(yield* marketOf(early), { ...figures, stage: "curve", quoteReserve: null })
      assert.strictEqual(figures.price, (yield* dataAt(`/api/launch/pool/${followed}/candles?limit=1`))[0].close)
      const trades = yield* dataAt(`/api/launch/pool/${followed}/trades`)
      assert.deepStrictEqual(
        trades.map(({ price, venue }: Record<string, unknown>) => ({ price, venue })),
        [
          { price: figures.price, venue: "damm_v2" },
          { price: priceInQuote(300_000_000_000_000_000n, 6, 9), venue: "dbc" },
        ],
      )
    }),
  )

  it.effect("says what is not known: without a pool, without trades, without the reserve, and without the chain", () =>
    Effect.gen(function* () {
      const [nowhere, untraded, unknown, old] = [sampleAddress(), sampleAddress(), sampleAddress(), sampleAddress()]
      for (const mintAddress of [nowhere, untraded, unknown, old]) yield* create({ mintAddress })
      assert.isNull(yield* marketOf(nowhere))
      const config = sampleAddress()
      yield* indexPool(untraded, { config })
      const { startSqrtPrice, supply } = yield* learnCurve(config)
      assert.deepInclude(yield* marketOf(untraded), {
        price: priceInQuote(BigInt(startSqrtPrice), 6, 9),
        marketCap: marketCapInQuote(BigInt(startSqrtPrice), BigInt(supply), 9),
        ...{ quoteReserve: "0", quoteProgress: 0, lastTradeAt: null, priceChange5m: 0, priceChange24h: 0 },
        ...{ quoteVolume24h: "0", trades24h: 0, buyVolume1h: "0", sellVolume1h: "0" },
      })
      yield* indexPool(unknown, { decimals: 6 })
      const trade = sampleTrade({ baseMint: unknown })
      yield* indexTrades([trade])
      assert.deepInclude(yield* marketOf(unknown), {
        price: priceInQuote(BigInt(trade.nextSqrtPrice), 6, 9),
        ...{ quoteDecimals: 9, marketCap: null, migrationQuoteThreshold: null, quoteProgress: null },
      })
      const young = sampleAddress()
      yield* create({ mintAddress: young })
      yield* indexPool(young, { config })
      const twice = String(2n * BigInt(startSqrtPrice))
      const since = sampleTrade({
        baseMint: young,
        nextSqrtPrice: twice,
        blockTime: new Date(Date.now() - 30 * MINUTE),
      })
      yield* indexTrades([since])
      // Since the launch, where that is later.
      const changes = { priceChange5m: 0, priceChange1h: 300, priceChange6h: 300, priceChange24h: 300 }
      assert.deepInclude(yield* marketOf(young), changes)
      yield* indexPool(old, { config })
      yield* indexTrades([sampleTrade({ baseMint: old })])
      assert.deepInclude(yield* marketOf(old), { quoteReserve: null, quoteProgress: null, priceChange24h: 0 })
    }),
  )

  it.effect("has the image that its creator sent, and nobody else's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const mint = sampleAddress()
      yield* create({ mintAddress: mint })
      yield* indexPool(mint)
      const creator = sampleAddress()
      const label = { uri: "https://example.com/m.json", name: "Mine", symbol: "MINE" }
      yield* sql`update dbc_pools set ${sql.update({ creator, ...label })} where base_mint = ${mint}`
      const built = (signer: string, imageUri: string, name = label.name) => sql`
        insert into launch_deployments (base_mint, signer, uri, config_address, pool, name, symbol, metadata, created_at)
        select ${mint}, ${signer}, ${label.uri}, config, pool, ${name}, ${label.symbol},
          ${JSON.stringify({ imageUri })}::text::jsonb, now() from dbc_pools where base_mint = ${mint}`
      yield* built(sampleAddress(), "https://example.com/forged.png")
      assert.strictEqual((yield* marketOf(mint))!.imageUri, null)
      yield* built(creator, "ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy")
      assert.match((yield* marketOf(mint))!.imageUri!, /^ipfs:\/\/bafk/)
    }),
  )

  it.effect("is not learned from a configuration that contradicts what the index has seen", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { config } = SEEDED_POOLS[0]!
      const mint = sampleAddress()
      yield* sql`update dbc_pools set quote_mint = ${sampleAddress()} where config = ${config}`
      yield* create({ mintAddress: mint })
      yield* indexPool(mint, { config: SEEDED_POOLS[1]!.config })
      yield* create(seededDraft(SEEDED_POOLS[0]!.baseMint))
      // Both are asked for, in this order; the second is known once the answer for the first has been judged.
      assert.isNull((yield* marketOf(SEEDED_POOLS[0]!.baseMint))!.marketCap)
      yield* learnedMarketOf(mint)
      assert.isNull((yield* marketOf(SEEDED_POOLS[0]!.baseMint))!.marketCap)
    }),
  )
})
