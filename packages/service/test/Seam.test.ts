import { assert, layer } from "@effect/vitest"
import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { coverageStatements } from "@launch-registry/indexer/finality/CoverageStatements"
import { leaderReports } from "@launch-registry/indexer/LeaderReports"
import { IngestLog } from "@launch-registry/indexer/inbox/IngestLog"
import { postgresLog } from "@launch-registry/indexer/inbox/PostgresLog"
import { Indexer } from "@launch-registry/indexer/Indexer"
import { Sink } from "@launch-registry/indexer/sink/Sink"
import { tradingWindowStatements } from "@launch-registry/indexer/sink/TradingWindows"
import { followIndex } from "@launch-registry/server/tokens/FollowIndex"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateChain } from "../../indexer/fixtures/GenerateTransactions.ts"
import { fold, lead, receiveTransactions } from "../../indexer/test/TestIndex.ts"
import { TestServer } from "./TestServer.ts"

const SOL = "So11111111111111111111111111111111111111112"
const TRADES_MAX = 100

/** Within the shortest window for the duration of this test. */
const firstBlockTime = Math.floor(Date.now() / 1000)
const { blocks, truth } = generateChain({
  ...{ seed: 7, slots: 90, transactionsPerSlot: 12, isLarge: false, firstBlockTime },
})
const lastSlot = BigInt(blocks.at(-1)!.slot)
const provenSlot = BigInt(blocks[60]!.slot)
const tradesOf = Map.groupBy(truth.trades, ({ baseMint }) => baseMint)
/** Pools in the native token, so that prices need no request; the most traded ones first. */
const traded = truth.pools
  .filter(({ baseMint, quoteMint }) => quoteMint === SOL && tradesOf.has(baseMint))
  .sort((left, right) => tradesOf.get(right.baseMint)!.length - tradesOf.get(left.baseMint)!.length)

const sumOf = (values: ReadonlyArray<bigint | string>) => values.reduce((sum: bigint, value) => sum + BigInt(value), 0n)

/** Everything that the leader writes about a chain, and what the server derives from it. */
const indexed = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const { config, quoteMint, tokenDecimal } of truth.configs) {
    const built = { signer: SOL, launchpad: "launchpad_a", quoteMint, tokenType: 0, tokenDecimals: tokenDecimal }
    yield* sql`insert into launch_configs ${sql.insert({ configAddress: config, ...built, createdAt: new Date() })}`
  }
  yield* receiveTransactions(blocks.flatMap(({ transactions }) => transactions))
  const fence = yield* lead
  yield* fold(fence)
  yield* tradingWindowStatements(sql).refresh()
  const { head } = yield* IngestLog
  const proven = { fromSlot: BigInt(blocks[0]!.slot), toSlot: provenSlot, provenBy: "test" }
  yield* coverageStatements(sql).add({ ...proven, logOffset: yield* head }, new Date())
  const { report, reportPools } = leaderReports(sql, { source: "poll", reconcileSeconds: 10 }, Effect.succeed(250))
  yield* report(fence, { originSlot: String(proven.fromSlot), finalizedSlot: String(lastSlot) })
  // No pool is proven yet.
  const pools = { followed: 0, due: 0, dueSince: null, failing: 0, missing: 0, dropped: 0, requests: 0, problem: null }
  yield* reportPools(fence, pools)
  const step = yield* followIndex
  while (yield* step) continue
})

const index = Indexer.layer.pipe(Layer.provideMerge(Layer.mergeAll(postgresLog, Sink.layer)))
const services = Layer.effectDiscard(Effect.orDie(indexed)).pipe(
  Layer.provideMerge(Layer.provideMerge(index, TestServer.layer())),
)

const get = (path: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(path), ({ body, status }) => {
      assert.strictEqual(status, 200, `${path}: ${JSON.stringify(body)}`)
      return body
    }),
  )

layer(services, { excludeTestServices: true })("What the indexer writes, the server reads", (it) => {
  it.effect("as trades in the order of the chain, final up to the proven slot", () =>
    Effect.gen(function* () {
      for (const { baseMint } of traded.slice(0, 3)) {
        const { data } = yield* get(`/api/launch/pool/${baseMint}/trades?limit=${TRADES_MAX}`)
        const expected = tradesOf.get(baseMint)!.toReversed().slice(0, TRADES_MAX)
        assert.deepStrictEqual(
          data.map(({ price: _price, time: _time, ...trade }: Record<string, unknown>) => trade),
          expected.map(({ baseAmount, fee, quoteAmount, side, signature, slot, trader, venue }) => ({
            ...{ signature, slot: String(slot), trader, side, venue, fee: String(fee) },
            ...{ baseAmount: String(baseAmount), quoteAmount: String(quoteAmount) },
            ...{ priceUsd: null, quoteAmountUsd: null },
            finality: slot <= provenSlot ? "finalized" : "confirmed",
          })),
        )
      }
    }),
  )

  it.effect("as trades and figures of launches that have migrated", () =>
    Effect.gen(function* () {
      const venueOf = new Map(truth.migrations.map(({ migratedPool }) => [migratedPool, "damm_v2"]))
      const onAmm = truth.trades.filter(({ venue }) => venue === "damm_v2")
      assert.isAbove(onAmm.length, 50)
      const { data: listed } = yield* get("/api/launch/trades?venue=damm_v2&limit=1000")
      assert.sameMembers(
        listed.map(({ pool, signature }: Record<string, string>) => `${signature} ${pool}`),
        onAmm.map(({ pool, signature }) => `${signature} ${pool}`),
      )
      for (const { pool, venue } of listed) assert.strictEqual(venueOf.get(pool), venue)

      const { data: launches } = yield* get("/api/launch/pools?registered=any&stage=migrated&include=market&limit=1000")
      const followed = launches.filter(({ mintAddress: mint }: { mintAddress: string }) =>
        onAmm.some(({ baseMint, quoteMint }) => baseMint === mint && quoteMint === SOL),
      )
      assert.isNotEmpty(followed)
      for (const { mintAddress: mint, market } of followed) {
        const last = tradesOf.get(mint)!.at(-1)!
        const { decimals } = truth.pools.find(({ baseMint }) => baseMint === mint)!
        assert.strictEqual(last.venue, "damm_v2")
        assert.deepInclude(market, {
          ...{ stage: "migrated", quoteProgress: 1, graduatedPool: last.pool, trades24h: tradesOf.get(mint)!.length },
          price: priceInQuote(last.nextSqrtPrice, decimals, 9),
        })
      }
    }),
  )

  it.effect("as candles of every interval", () =>
    Effect.gen(function* () {
      const [{ baseMint }] = traded as [(typeof traded)[number]]
      const expected = tradesOf.get(baseMint)!
      for (const interval of ["1m", "5m", "15m", "1h", "4h", "1d"]) {
        const { data } = yield* get(`/api/launch/pool/${baseMint}/candles?interval=${interval}`)
        const candles: ReadonlyArray<{ trades: number; quoteVolume: string }> = data
        assert.strictEqual(Number(sumOf(candles.map(({ trades }) => BigInt(trades)))), expected.length, interval)
        assert.strictEqual(
          sumOf(candles.map(({ quoteVolume }) => quoteVolume)),
          sumOf(expected.map(({ quoteAmount }) => quoteAmount)),
          interval,
        )
      }
    }),
  )

  it.effect("as popular tokens in every window", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tradersOf = (mint: string) => new Set(tradesOf.get(mint)?.map(({ trader }) => trader)).size
      const most = Math.max(...truth.pools.map(({ baseMint }) => tradersOf(baseMint)))
      for (const interval of Object.keys(WINDOW_LENGTHS)) {
        const { data } = yield* get(`/api/tokens/popular?interval=${interval}`)
        assert.strictEqual(tradersOf(data[0].mintAddress), most, interval)
      }
      const spans = yield* sql<{ readonly span: string }>`select distinct span from trading_windows`
      assert.sameMembers(
        spans.map(({ span }) => span),
        Object.keys(WINDOW_LENGTHS),
      )
    }),
  )

  it.effect("as active tokens of the latest creator until they migrate, and launches of the first creator", () =>
    Effect.gen(function* () {
      const migrated = new Set(truth.migrations.map(({ pool }) => pool))
      const changed = new Map(
        truth.others.flatMap((event) =>
          event.type === "PoolCreatorChanged" ? [[event.pool, event.newCreator] as const] : [],
        ),
      )
      assert.isAbove(migrated.size, 0)
      assert.isAbove(changed.size, 0)
      const { transactions } = yield* get("/api/transactions?action=DEPLOY&limit=1000")
      const deploys: ReadonlyArray<Record<string, unknown>> = transactions
      const creators = new Map(deploys.map(({ poolAddress, userAddress }) => [poolAddress, userAddress]))
      for (const { baseMint, creator, decimals, pool } of truth.pools) {
        const { data } = yield* get(`/api/tokens/mint/${baseMint}`)
        assert.deepInclude(data, { owner: changed.get(pool) ?? creator, active: !migrated.has(pool), decimals })
        assert.strictEqual(creators.get(pool), creator)
      }
    }),
  )

  it.effect("as the report of the indexer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [first] = yield* sql<{ readonly slot: bigint }>`select min(migrated_slot) as slot from dbc_pools`
      const { data } = yield* get("/api/system/indexer")
      assert.strictEqual(data.leader.holder, "test")
      const proven = String(first!.slot - 1n)
      assert.deepInclude(data, {
        ...{ slot: String(lastSlot), finalizedSlot: String(lastSlot), programWatermarkSlot: String(provenSlot) },
        ...{ watermarkSlot: proven, poolsWatermarkSlot: proven },
        ...{ gaps: [{ fromSlot: String(provenSlot + 1n), toSlot: String(lastSlot) }], deadLetters: 0 },
      })
    }),
  )
})
