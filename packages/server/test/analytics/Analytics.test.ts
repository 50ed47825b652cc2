import { assert, layer } from "@effect/vitest"
import { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { TOKEN_COLUMNS } from "@launch-registry/clickhouse/HistoryTables"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { randomOf } from "../../../service/test/Random.ts"
import { SOL, sampleAddress, sampleSignature } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { sendTrades, TestHistory } from "../history/TestHistory.ts"
import { type IndexedTrade, randomTrades } from "../launch/IndexedTrades.ts"
import { dataAt } from "../tokens/TokenRequests.ts"

const DAY = 86_400_000
const OTHER = sampleAddress()
const configs = [sampleAddress(), sampleAddress()]
const traders = Array.from({ length: 9 }, sampleAddress)

/** Eight mints of two launchpads and of none, with two quote tokens. */
const tokens = Array.from({ length: 8 }, (_, at) => ({
  ...{ baseMint: sampleAddress(), config: configs[at % 2]!, quoteMint: at < 5 ? SOL : OTHER },
  launchpad: ["launchpad_a", "launchpad_b", ""][at % 3]!,
}))

const random = randomOf(41)
const sent = tokens.flatMap(({ baseMint, quoteMint }, at) =>
  randomTrades(random, 30 + 20 * at, baseMint).map((trade) => ({
    ...{ ...trade, quoteMint, trader: traders[random(traders.length)]! },
    // Together beyond what 64 bits hold.
    quoteAmount: random(4) === 0 ? "18446744073709551615" : trade.quoteAmount,
  })),
)
const ordinals = sent.map(({ ordinal }) => ordinal).toSorted((a, b) => (a < b ? -1 : 1))
/** The newest are there, but not said to be. */
const sentBelow = ordinals[Math.floor(ordinals.length * 0.9)]!
const trades = sent.filter(({ ordinal }) => ordinal < sentBelow)

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const configOf = ({ baseMint }: IndexedTrade) => tokens.find((token) => token.baseMint === baseMint)!.config
  yield* sendTrades(sent, configOf)
  // As when a round ended before what it had sent was noted.
  yield* sendTrades(
    sent.filter(() => random(4) === 0),
    configOf,
  )
  const clickhouse = (yield* ClickHouse)!
  const sendTokens = (launchpadOf: (token: (typeof tokens)[number]) => string) =>
    clickhouse.insert(
      "tokens",
      TOKEN_COLUMNS,
      tokens.slice(0, 7).map((token) => [token.baseMint, launchpadOf(token)]),
    )
  yield* sendTokens(() => "")
  yield* sendTokens(({ launchpad }) => launchpad)
  for (const trade of trades.filter(() => random(10) === 0))
    yield* sql`
      insert into dbc_events (ordinal, signature, type, facts, block_time)
      values (${trade.ordinal - 1n}, ${sampleSignature()}, 'Other', '{}', ${trade.blockTime})`
  yield* sql`update indexer_progress set sent_below = ${sentBelow}, sent_at = '2026-11-24T10:00:00Z'`
})

const REACH = { toSlot: String((sentBelow >> 32n) - 1n), sentAt: "2026-11-24T10:00:00.000Z" }

const known = new Map(tokens.map((token, at) => [token.baseMint, at < 7 ? token : { ...token, launchpad: "" }]))
const launchpadOf = ({ baseMint }: IndexedTrade) => known.get(baseMint)!.launchpad || null
const volumeOf = (of: ReadonlyArray<IndexedTrade>) =>
  String(of.reduce((sum, { quoteAmount }) => sum + BigInt(quoteAmount), 0n))
const lastOf = (of: ReadonlyArray<IndexedTrade>) =>
  new Date(Math.max(...of.map(({ blockTime }) => blockTime.getTime()))).toISOString()
const count = (values: ReadonlyArray<string>) => new Set(values).size
const descending = (a: bigint, b: bigint) => (a < b ? 1 : a > b ? -1 : 0)

interface Filter {
  readonly from: string
  readonly to?: string
  readonly launchpad?: string
  readonly config?: string
  readonly quoteMint?: string
  readonly mintAddress?: string
}

const matching = ({ config, from, launchpad, mintAddress: mint, quoteMint, to }: Filter) =>
  trades.filter(
    (trade) =>
      trade.blockTime.getTime() >= Date.parse(from) &&
      (to === undefined || trade.blockTime.getTime() < Date.parse(to)) &&
      (launchpad === undefined || launchpadOf(trade) === launchpad) &&
      (config === undefined || known.get(trade.baseMint)!.config === config) &&
      (quoteMint === undefined || trade.quoteMint === quoteMint) &&
      (mint === undefined || trade.baseMint === mint),
  )

const times = trades.map(({ blockTime }) => blockTime.toISOString())
const randomFilter = (): Filter => {
  const [one, other] = [times[random(times.length)]!, times[random(times.length)]!].toSorted() as [string, string]
  return {
    from: random(3) === 0 ? "2026-11-18" : one,
    ...(random(2) === 0 && one !== other && { to: other }),
    ...(random(3) === 0 && { launchpad: ["launchpad_a", "launchpad_b"][random(2)]! }),
    ...(random(3) === 0 && { quoteMint: [SOL, OTHER][random(2)]! }),
  }
}

const pathOf = (name: string, query: object) =>
  `/api/analytics/${name}?${new URLSearchParams(query as Record<string, string>)}`

const servers = Layer.provideMerge(
  Layer.provideMerge(Layer.effectDiscard(Effect.orDie(fill)), TestServer.layer()),
  TestHistory.layer,
)

layer(servers)("Analytics", (it) => {
  it.effect("of the volume by day are what its trades add up to", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 25; times++) {
        const filter = { ...randomFilter(), ...(random(3) === 0 && { config: configs[random(2)]! }) }
        const groups = Map.groupBy(matching(filter), (trade) => {
          const day = Math.floor(trade.blockTime.getTime() / DAY) * DAY
          return JSON.stringify([new Date(day).toISOString(), launchpadOf(trade), trade.quoteMint])
        })
        const expected = [...groups]
          .map(([key, of]) => {
            const [day, launchpad, quoteMint] = JSON.parse(key) as [string, string | null, string]
            const traders = count(of.map(({ trader }) => trader))
            return { day, launchpad, quoteMint, trades: of.length, traders, volume: volumeOf(of) }
          })
          .toSorted(
            (a, b) =>
              Date.parse(a.day) - Date.parse(b.day) ||
              b.trades - a.trades ||
              ((a.launchpad ?? "") < (b.launchpad ?? "") ? -1 : (a.launchpad ?? "") > (b.launchpad ?? "") ? 1 : 0) ||
              (a.quoteMint < b.quoteMint ? -1 : 1),
          )
        const path = pathOf("volume", filter)
        assert.deepStrictEqual(yield* dataAt(path), { days: expected, history: REACH }, path)
      }
    }),
  )

  it.effect("rank tokens by volume, trades or traders of a range", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 25; times++) {
        const sort = ["volume", "trades", "traders", undefined][random(4)]
        const filter = { ...randomFilter(), ...(sort !== undefined && { sort }) }
        const limit = 1 + random(10)
        const quoteMint = filter.quoteMint ?? (sort === undefined || sort === "volume" ? SOL : undefined)
        const groups = Map.groupBy(matching({ ...filter, ...(quoteMint && { quoteMint }) }), ({ baseMint }) => baseMint)
        const expected = [...groups]
          .map(([mint, of]) => ({
            ...{ mintAddress: mint, quoteMint: of[0]!.quoteMint, launchpad: launchpadOf(of[0]!), trades: of.length },
            ...{ traders: count(of.map(({ trader }) => trader)), volume: volumeOf(of), lastTradeAt: lastOf(of) },
          }))
          .toSorted(
            (a, b) =>
              descending(BigInt(a[(sort ?? "volume") as "volume"]), BigInt(b[(sort ?? "volume") as "volume"])) ||
              (a.mintAddress < b.mintAddress ? -1 : 1),
          )
          .slice(0, limit)
        const path = pathOf("tokens", { ...filter, limit })
        assert.deepStrictEqual(yield* dataAt(path), { tokens: expected, history: REACH }, path)
      }
    }),
  )

  it.effect("rank traders by volume in a quote token, of all tokens or of one", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 25; times++) {
        const { from, quoteMint, to } = randomFilter()
        const mint = random(2) === 0 ? tokens[random(8)]!.baseMint : undefined
        const filter = { from, ...(to && { to }), ...(quoteMint && { quoteMint }), ...(mint && { mintAddress: mint }) }
        const limit = 1 + random(10)
        const quote = quoteMint ?? (mint === undefined ? SOL : undefined)
        const groups = Map.groupBy(matching({ ...filter, ...(quote && { quoteMint: quote }) }), ({ trader }) => trader)
        const ofSide = (of: ReadonlyArray<IndexedTrade>, side: string) =>
          volumeOf(of.filter((one) => one.side === side))
        const expected = [...groups]
          .map(([trader, of]) => ({
            ...{ trader, quoteMint: of[0]!.quoteMint, trades: of.length },
            ...{ tokens: count(of.map(({ baseMint }) => baseMint)), volume: volumeOf(of) },
            ...{ bought: ofSide(of, "BUY"), sold: ofSide(of, "SELL"), lastTradeAt: lastOf(of) },
          }))
          .toSorted((a, b) => descending(BigInt(a.volume), BigInt(b.volume)) || (a.trader < b.trader ? -1 : 1))
          .slice(0, limit)
        const path = pathOf("traders", { ...filter, limit })
        assert.deepStrictEqual(yield* dataAt(path), { traders: expected, history: REACH }, path)
      }
    }),
  )

  it.effect("are refused for ranges and filters that are none", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const cases: ReadonlyArray<readonly [path: string, field: string]> = [
        ["volume", "from"],
        ["volume?from=yesterday", "from"],
        ["volume?from=2026-11-20&to=2026-11-20", "to"],
        ["volume?from=2026-11-20&to=2026-11-19", "to"],
        ["volume?from=2025-01-01&to=2026-11-19", "to"],
        ["tokens?from=2020-01-01", "from"],
        ["traders?from=2020-01-01", "from"],
        ["volume?from=2026-11-20&by=hour", "by"],
        ["volume?from=2026-11-20&launchpad=none", "launchpad"],
        ["tokens?from=2026-11-20&sort=price", "sort"],
        ["tokens?from=2026-11-20&limit=101", "limit"],
        ["traders?from=2026-11-20&limit=0", "limit"],
        ["traders?from=2026-11-20&mintAddress=x", "mintAddress"],
        ["tokens?from=2026-11-20&mintAddress=x", "mintAddress"],
      ]
      for (const [path, field] of cases) {
        const { body, status } = yield* request(`/api/analytics/${path}`)
        assert.deepStrictEqual([status, body.code], [400, "invalid_request"], path)
        assert.strictEqual(body.issues[0].path, `query.${field}`, path)
      }
      assert.strictEqual((yield* request("/api/analytics/volume?from=2025-11-20&to=2026-11-21")).status, 200)
    }),
  )

  it.effect("are asked once by all who ask for the same, and again once more was sent", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { fetch, request } = yield* TestServer
      const server = yield* TestHistory
      const path = pathOf("traders", { from: "2026-11-18", limit: 50 })
      const before = yield* server.requests
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => fetch(path)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual((yield* server.requests) - before, 1)
      const etags = new Set(answers.map(({ headers }) => headers.get("etag")))
      assert.strictEqual(etags.size, 1)
      assert.strictEqual(answers[0]!.headers.get("cache-control"), "public, max-age=0, s-maxage=10")
      const again = yield* fetch(path, { headers: { "if-none-match": [...etags][0]! } })
      assert.strictEqual(again.status, 304)
      yield* sql`update indexer_progress set sent_at = '2026-11-24T10:00:01Z'`
      const { body } = yield* request(path)
      assert.lengthOf(body.data.traders, traders.length)
      assert.strictEqual((yield* server.requests) - before, 2)
    }),
  )

  it.effect("are not of another index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const server = yield* TestHistory
      const path = (trader: number) => pathOf("traders", { from: "2026-11-18", limit: trader })
      assert.strictEqual((yield* request(path(5))).status, 200)
      yield* server.run("insert into history.history_identity (id) values ('theirs')")
      // Looked at once a minute.
      yield* TestClock.adjust(60_000)
      const refused = yield* request(path(6))
      assert.deepStrictEqual([refused.status, refused.body.details?.service], [503, "history"])
      yield* server.run("truncate table history.history_identity")
      assert.strictEqual((yield* request(path(7))).status, 503)
      const [known] = yield* sql<{ readonly historyId: string }>`select history_id from indexer_progress`
      yield* server.run(`insert into history.history_identity (id) values ('${known!.historyId}')`)
      assert.strictEqual((yield* request(path(7))).status, 200)
    }),
  )

  it.effect("are 503 while history cannot be read, and right again afterwards", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const server = yield* TestHistory
      const paths = ["volume", "tokens", "traders"].map((name) => pathOf(name, { from: "2026-11-18T01:02:03Z" }))
      for (const mode of ["refuse", "error", "page", "cut"] as const) {
        yield* server.fail(mode)
        for (const path of paths) {
          const { body, headers, status } = yield* request(path)
          assert.deepStrictEqual([status, body.details?.service], [503, "history"], `${mode} ${path}`)
          assert.match(headers.get("retry-after") ?? "", /^\d+$/)
        }
        yield* server.heal
      }
      for (const path of paths) assert.strictEqual((yield* request(path)).status, 200, path)
    }),
  )
})

layer(TestServer.layer())("Analytics without a history", (it) => {
  it.effect("are 503 for good", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const name of ["volume", "tokens", "traders"]) {
        const { body, headers, status } = yield* request(pathOf(name, { from: "2026-11-18" }))
        assert.deepStrictEqual([status, body.code], [503, "not_configured"])
        assert.isNull(headers.get("retry-after"))
      }
    }),
  )
})
