import { assert, layer } from "@effect/vitest"
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Random, randomOf } from "../../../service/test/Random.ts"
import { sampleAddress, sampleSignature } from "../../../service/test/Samples.ts"
import { examples } from "../../../../scripts/Laws.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { type IndexedTrade, indexPool, indexTrades, randomTrades } from "../launch/IndexedTrades.ts"
import { keepFrom, proveAll, sendTrades, TestHistory } from "./TestHistory.ts"

interface Page {
  readonly data: ReadonlyArray<Record<string, unknown>>
  readonly pagination: { readonly nextCursor: string | null }
}

/** The rows of every page. */
const readPages = Effect.fnUntraced(function* (path: string) {
  const { request } = yield* TestServer
  const rows: Array<Record<string, unknown>> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body, status } = yield* request(`${path}${cursor}`)
    assert.strictEqual(status, 200, `${path} ${JSON.stringify(body)}`)
    const page = body as Page
    rows.push(...page.data)
    cursor = page.pagination.nextCursor === null ? null : `&cursor=${page.pagination.nextCursor}`
  }
  return rows
})

const mints = [sampleAddress(), sampleAddress(), sampleAddress()]
const traders = [sampleAddress(), sampleAddress(), sampleAddress()]
const pools = mints.map(() => [sampleAddress(), sampleAddress()] as const)

/** Trades of three mints over days, the last mint's are few and old; two at the same place in the chain. */
const sampleTrades = (random: Random): ReadonlyArray<IndexedTrade> =>
  mints.flatMap((mint, index) => {
    const trades = randomTrades(random, index === 2 ? 12 : 140, mint).map((trade, at): IndexedTrade => {
      const isMigrated = at > 90
      const pool = pools[index]![isMigrated ? 1 : 0]
      return { ...trade, pool, trader: traders[random(3)]!, venue: isMigrated ? "damm_v2" : "dbc" }
    })
    return [...trades, ...trades.slice(0, 5).map((trade) => ({ ...trade, signature: sampleSignature() }))]
  })

const trades = sampleTrades(randomOf(21))
const ordinals = trades.map(({ ordinal }) => ordinal).toSorted((a, b) => (a < b ? -1 : 1))

/** Everything in history, some of it twice. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const random = randomOf(22)
  for (const mint of mints) yield* indexPool(mint, { decimals: 6 })
  yield* proveAll(pools.map(([, migrated]) => migrated))
  yield* sendTrades(trades)
  // As when a round ended before what it had sent was noted.
  yield* sendTrades(trades.filter(() => random(5) === 0))
  for (const mint of mints) {
    const own = trades.filter(({ baseMint }) => baseMint === mint)
    const first = own.reduce((least, { ordinal }) => (ordinal < least ? ordinal : least), own[0]!.ordinal)
    yield* sql`
      insert into candles (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume, quote_volume, trades)
      values (${mint}, 0, 'epoch', ${first}, ${first}, 1, 1, 1, 1, 1, 1, ${own.length})`
  }
  for (const trade of trades.filter(() => random(10) === 0))
    yield* sql`
      insert into dbc_events (ordinal, signature, type, facts, block_time)
      values (${trade.ordinal - 1n}, ${sampleSignature()}, 'Other', '{}', ${trade.blockTime})`
})

/** Leaves trades from an ordinal on in PostgreSQL, and below it the newest of each pool and some others. */
const keepTrades = Effect.fnUntraced(function* (keptFrom: bigint, random: Random) {
  const sql = yield* SqlClient
  const newest = new Map(
    trades.toSorted((a, b) => (a.ordinal < b.ordinal ? -1 : 1)).map((trade) => [trade.pool, trade]),
  )
  const kept = trades.filter(
    (trade) => trade.ordinal >= keptFrom || newest.get(trade.pool) === trade || random(20) === 0,
  )
  yield* sql`delete from trades`
  const rows = kept.map((trade): Record<string, unknown> => ({ ...trade }))
  if (Array.isReadonlyArrayNonEmpty(rows)) yield* sql`insert into trades ${sql.insert(rows)}`
  yield* keepFrom(keptFrom)
})

const times = trades.map(({ blockTime }) => blockTime.toISOString())

const randomPath = (random: Random): string => {
  const query = new URLSearchParams({ limit: String([4, 7, 50, 1_000][random(4)]) })
  if (random(3) === 0) return `/api/launch/pool/${mints[random(3)]}/trades?${query}`
  const [trader, mint] = [[...traders, undefined][random(4)], [...mints, undefined][random(4)]]
  if (trader !== undefined) query.set("trader", trader)
  if (mint !== undefined) query.set("mintAddress", mint)
  if (random(3) === 0) query.set("side", random(2) === 0 ? "BUY" : "SELL")
  if (random(3) === 0) query.set("venue", random(2) === 0 ? "dbc" : "damm_v2")
  const time = () => (random(5) === 0 ? "2026-11-19T10:00:00.5Z" : times[random(times.length)]!)
  if (random(3) === 0) query.set("from", time())
  if (random(3) === 0) query.set("to", time())
  return `/api/launch/trades?${query}`
}

const newestFirst = (trades: ReadonlyArray<IndexedTrade>) =>
  trades.toSorted((a, b) =>
    a.ordinal === b.ordinal ? (a.signature < b.signature ? 1 : -1) : a.ordinal < b.ordinal ? 1 : -1,
  )

const servers = Layer.provideMerge(
  Layer.effectDiscard(Effect.orDie(fill)).pipe(Layer.provideMerge(TestServer.layer())),
  TestHistory.layer,
)

layer(servers)("Trades of which old ones have left PostgreSQL", (it) => {
  it.effect("are the same list as when PostgreSQL has all, whatever has left, the filters and the pages", () =>
    Effect.gen(function* () {
      const random = randomOf(23)
      for (let round = 0; round < examples(4, 24); round++) {
        const paths = globalThis.Array.from({ length: 12 }, () => randomPath(random))
        yield* keepTrades(0n, random)
        const expected = new Map<string, ReadonlyArray<Record<string, unknown>>>()
        for (const path of paths) expected.set(path, yield* readPages(path))
        const keptFrom = round === 0 ? ordinals.at(-1)! + 1n : ordinals[random(ordinals.length)]! + BigInt(random(2))
        yield* keepTrades(keptFrom, random)
        for (const path of paths)
          assert.deepStrictEqual(yield* readPages(path), expected.get(path), `${path} from ${keptFrom}`)
      }
    }),
  )

  it.effect("are not asked of history where PostgreSQL fills the page, or knows that nothing is older", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const server = yield* TestHistory
      const [oldMint, , fewMint] = mints
      const inOrder = newestFirst(trades)
      const kept = inOrder[100]!
      const firstOf = (mint: string) => newestFirst(trades.filter(({ baseMint }) => baseMint === mint)).at(-1)!.ordinal
      yield* keepTrades(kept.ordinal, randomOf(25))
      const asked = yield* server.requests
      const paths = [
        "/api/launch/trades?limit=80",
        `/api/launch/pool/${oldMint}/trades?limit=10`,
        `/api/launch/trades?from=${inOrder[20]!.blockTime.toISOString()}`,
      ]
      for (const path of paths) {
        const { body, status } = yield* request(path)
        assert.strictEqual(status, 200, path)
        assert.isAbove(body.data.length, 0, path)
      }
      yield* keepTrades(firstOf(fewMint!), randomOf(25))
      const few = yield* request(`/api/launch/pool/${fewMint}/trades`)
      assert.lengthOf(few.body.data, trades.filter(({ baseMint }) => baseMint === fewMint).length)
      assert.isNull(few.body.pagination.nextCursor)
      assert.strictEqual(yield* server.requests, asked)
      yield* keepTrades(firstOf(fewMint!) + 1n, randomOf(25))
      assert.deepStrictEqual((yield* request(`/api/launch/pool/${fewMint}/trades`)).body, few.body)
      assert.isAbove(yield* server.requests, asked)
    }),
  )

  it.effect("that are needed and cannot be read are 503; pages that PostgreSQL fills are read on", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const server = yield* TestHistory
      yield* keepTrades(newestFirst(trades)[100]!.ordinal, randomOf(26))
      for (const mode of ["refuse", "error", "page", "cut"] as const) {
        yield* server.fail(mode)
        for (const path of [
          `/api/launch/trades?trader=${traders[0]}`,
          `/api/launch/pool/${mints[0]}/trades?limit=1000`,
        ]) {
          const { body, headers, status } = yield* request(path)
          assert.deepStrictEqual([status, body.details?.service], [503, "history"], `${mode} ${path}`)
          assert.match(headers.get("retry-after") ?? "", /^\d+$/)
          assert.notInclude(JSON.stringify(body), "127.0.0.1")
        }
        const first = yield* request("/api/launch/trades?limit=80")
        assert.strictEqual(first.status, 200)
        const next = yield* request(`/api/launch/trades?limit=80&cursor=${first.body.pagination.nextCursor}`)
        assert.strictEqual(next.status, 503)
        yield* server.heal
      }
      assert.strictEqual((yield* request(`/api/launch/trades?trader=${traders[0]}`)).status, 200)
    }),
  )
})

layer(TestServer.layer())("Trades that have left PostgreSQL for a history that is not configured", (it) => {
  it.effect("are 503 where a page needs them, and never a list with a hole", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const mint = sampleAddress()
      yield* indexPool(mint, { decimals: 6 })
      const own = newestFirst(randomTrades(randomOf(27), 60, mint))
      yield* indexTrades(own)
      assert.lengthOf((yield* request("/api/launch/trades?limit=1000")).body.data, own.length)
      yield* keepFrom(own[20]!.ordinal)
      for (const path of ["/api/launch/trades", `/api/launch/pool/${mint}/trades`]) {
        assert.strictEqual((yield* request(`${path}?limit=20`)).status, 200)
        const { body, status } = yield* request(`${path}?limit=30`)
        assert.deepStrictEqual([status, body.code, body.details?.feature], [503, "not_configured", "history"])
      }
      const nobody = yield* request(`/api/launch/trades?trader=${sampleAddress()}`)
      assert.strictEqual(nobody.status, 503)
    }),
  )
})
