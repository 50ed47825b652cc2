import type { PopularToken } from "@launch-registry/domain/tokens/PopularToken"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { sampleAddress, transactionDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { countRecords } from "../../src/tokens/RecordedWindows.ts"
import { create, listed, symbols } from "./TokenRequests.ts"

layer(TestServer.layer())("Finding tokens", (it) => {
  it.effect("filters by launchpad, active, tag, owner, mints and dates, newest first", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const owner = sampleAddress()
      const a = yield* create({ symbol: "AAA", owner, tags: ["dog", "fun"] })
      yield* TestClock.adjust("1 second")
      const b = yield* create({ symbol: "BBB", launchpad: "launchpad_b", tags: ["cat"] })
      yield* TestClock.adjust("1 second")
      const c = yield* create({ symbol: "CCC", owner, tags: ["dog"] })
      yield* request(`/api/tokens/${c.id}`, { method: "PATCH", json: { active: false } })
      const cases: ReadonlyArray<readonly [query: string, expected: Array<string>]> = [
        ["", ["CCC", "BBB", "AAA"]],
        ["?launchpad=launchpad_b", ["BBB"]],
        ["?active=true", ["BBB", "AAA"]],
        ["?active=false", ["CCC"]],
        ["?tag=dog", ["CCC", "AAA"]],
        ["?tag=dog&active=true&launchpad=launchpad_a", ["AAA"]],
        ["?tag=absent", []],
        [`?mintAddresses=${a.mintAddress},${b.mintAddress}`, ["BBB", "AAA"]],
        [`?startDate=${c.createdAt}`, ["CCC"]],
        [`?endDate=${a.createdAt}`, ["AAA"]],
        [`?startDate=${a.createdAt.slice(0, 10)}&endDate=${c.createdAt.slice(0, 10)}`, ["CCC", "BBB", "AAA"]],
        ["?endDate=1969-12-31", []],
      ]
      for (const [query, expected] of cases) {
        assert.deepStrictEqual(symbols(yield* listed(`/api/tokens${query}`)), expected, query)
      }
      assert.deepStrictEqual(symbols(yield* listed(`/api/tokens/address/${owner}`)), ["CCC", "AAA"])
      assert.deepStrictEqual(symbols(yield* listed(`/api/tokens/address/${owner}?active=true`)), ["AAA"])
    }),
  )

  it.effect("searches name, symbol and description in any case, and ranks the matches", () =>
    Effect.gen(function* () {
      const owner = sampleAddress()
      yield* create({ symbol: "ZZ1", name: "Other", description: "speaks of a MOON landing" })
      yield* create({ symbol: "ZZ2", name: "Moonwalk" })
      yield* create({ symbol: "MOONS", name: "Other" })
      yield* create({ symbol: "moon", name: "Other", owner })
      assert.deepStrictEqual(symbols(yield* listed("/api/tokens/search?q=Moon")), ["moon", "MOONS", "ZZ2", "ZZ1"])
      assert.deepStrictEqual(symbols(yield* listed(`/api/tokens/search?q=moon&owner=${owner}`)), ["moon"])
      assert.deepStrictEqual(symbols(yield* listed("/api/tokens/search?q=oo")), ["moon", "MOONS", "ZZ2", "ZZ1"])
      const found = yield* listed(`/api/tokens/search?q=moon&owner=${owner}`)
      assert.deepStrictEqual(found, yield* listed(`/api/tokens/address/${owner}`))
      assert.lengthOf(yield* listed("/api/tokens/search?q=100%25"), 0)
      assert.lengthOf(yield* listed("/api/tokens/search?q=_"), 0)
    }),
  )

  it.effect("finds a token by the address of its mint, before any that only speak of it", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { mintAddress } = yield* create({ symbol: "MINE" })
      yield* TestClock.adjust("1 second")
      yield* create({ symbol: "COPY", description: `not ${mintAddress}` })
      const found = (term: string) => listed(`/api/tokens/search?q=${encodeURIComponent(term)}`)
      assert.deepStrictEqual(symbols(yield* found(` ${mintAddress} `)), ["MINE", "COPY"])
      assert.deepStrictEqual(symbols(yield* found(mintAddress.slice(0, 20))), ["COPY"])
      const [page, next] = [
        yield* request(`/api/tokens/search?q=${mintAddress}&limit=1`),
        yield* request(`/api/tokens/search?q=${mintAddress}&limit=1&offset=1`),
      ]
      assert.deepStrictEqual(symbols([...page.body.data, ...next.body.data]), ["MINE", "COPY"])
      yield* request(`/api/tokens/${page.body.data[0].id}`, { method: "DELETE" })
      assert.deepStrictEqual(symbols(yield* found(mintAddress)), ["COPY"])
    }),
  )

  it.effect("lists the holders of a launch without the curve's vault", () =>
    Effect.gen(function* () {
      const mint = "2Fiik5PmHBGE9AU7b3UA9FhVLtQaQaYxsLLzBdjmK9w1"
      const holder = "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e"
      const { request } = yield* TestServer
      assert.deepStrictEqual((yield* request(`/api/tokens/holders/${mint}`)).body.data, [holder])
      const { body } = yield* request(`/api/tokens/holders/${mint}?include=balances`)
      assert.deepStrictEqual(body.data, [{ address: holder, amount: "96463029603365", share: 0.096463 }])
      const counted = yield* request(`/api/tokens/holders/${mint}/count`)
      assert.deepStrictEqual(counted.body, { success: true, data: { count: 1, isWhole: true } })
      const unknownCount = yield* request(`/api/tokens/holders/${sampleAddress()}/count`)
      assert.strictEqual(unknownCount.body.code, "not_found")
      const unknown = yield* request(`/api/tokens/holders/${sampleAddress()}`)
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "not_found")
    }),
  )
})

/** Records a trade that the chain has confirmed, with so many quote tokens where it shows them. */
const recordTrade = Effect.fn(function* (fields: Readonly<Record<string, unknown>>, quoteVolume: string | null = null) {
  const { request } = yield* TestServer
  const sql = yield* SqlClient
  const { body } = yield* request("/api/transactions", { json: transactionDraft(fields) })
  yield* sql`
    update transactions set status = 'success', quote_volume = ${quoteVolume} where id = ${body.transaction.id}::uuid`
})

layer(TestServer.layer(), { excludeTestServices: true })("Popular tokens", (it) => {
  it.effect("rank by traders and volume on chain, then by recorded trades, then by age, within the interval", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const [quiet, recorded, loud, busy] = [
        yield* create({ symbol: "QUIET" }),
        yield* create({ symbol: "RECORDED", tags: ["hot"] }),
        yield* create({ symbol: "LOUD" }),
        yield* create({ symbol: "BUSY", tags: ["hot"] }),
      ]
      const traded = (span: string, baseMint: string, traders: number, quoteVolume: string) =>
        sql`insert into trading_windows ${sql.insert({ span, baseMint, traders, trades: 5, quoteVolume })}`
      // Two traders rank above one, whatever the volume.
      yield* traded("24h", busy.mintAddress, 2, "2")
      yield* traded("24h", loud.mintAddress, 1, "5000000")
      yield* traded("5m", busy.mintAddress, 1, "1")
      yield* traded("5m", loud.mintAddress, 1, "5000000")
      // A window without trades counts as missing.
      yield* traded("5m", quiet.mintAddress, 0, "0")
      for (const userAddress of [sampleAddress(), sampleAddress(), sampleAddress()])
        yield* recordTrade({ baseToken: recorded.mintAddress, userAddress })
      yield* countRecords()
      const all = ["BUSY", "LOUD", "RECORDED", "QUIET"]
      assert.deepStrictEqual(symbols(yield* listed("/api/tokens/popular")), all)
      // In the last five minutes both had one trader: volume decides.
      assert.deepStrictEqual(symbols(yield* listed("/api/tokens/popular?interval=5m")), [
        "LOUD",
        "BUSY",
        "RECORDED",
        "QUIET",
      ])
      assert.deepStrictEqual(symbols(yield* listed("/api/tokens/popular?limit=1")), ["BUSY"])
      assert.deepStrictEqual(symbols(yield* listed("/api/tokens/popular?tag=hot")), ["BUSY", "RECORDED"])
      yield* request(`/api/tokens/${quiet.id}`, { method: "DELETE" })
      assert.deepStrictEqual(
        symbols(yield* listed("/api/tokens/popular?launchpad=launchpad_a&active=true")),
        all.slice(0, 3),
      )
    }),
  )

  it.effect("come with what they are ranked by, if asked for", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const [traded, untraded] = [yield* create({ tags: ["why"] }), yield* create({ tags: ["why"] })]
      const counts = { span: "6h", traders: 3, trades: 12, quoteVolume: "90071992547409930" }
      yield* sql`insert into trading_windows ${sql.insert({ ...counts, baseMint: traded.mintAddress })}`
      for (const volume of ["1.5", "0.25"]) yield* recordTrade({ baseToken: traded.mintAddress }, volume)
      yield* countRecords()
      const path = "/api/tokens/popular?tag=why&interval=6h"
      const found = (yield* listed(`${path}&include=ranking`)) as ReadonlyArray<PopularToken>
      const recorded = { recordedTraders: 2, recordedTrades: 2, recordedVolume: "1.75" }
      const nothing = { recordedTraders: 0, recordedTrades: 0, recordedVolume: "0" }
      assert.deepStrictEqual(
        found.map(({ id, ranking }) => ({ id, ranking })),
        [
          { id: traded.id, ranking: { traders: 3, trades: 12, quoteVolume: "90071992547409930", ...recorded } },
          { id: untraded.id, ranking: { traders: 0, trades: 0, quoteVolume: "0", ...nothing } },
        ],
      )
      const plain = yield* listed(path)
      assert.deepStrictEqual(
        found.map(({ ranking: _ranking, ...token }) => token),
        plain as ReadonlyArray<object>,
      )
      for (const include of ["rank", "ranking,", "Ranking"]) {
        const { body, status } = yield* request(`${path}&include=${include}`)
        assert.strictEqual(status, 400, include)
        assert.deepStrictEqual(body.issues, [
          { path: "query.include", message: "expected one or more of: market, trust, ranking" },
        ])
      }
    }),
  )

  it.effect("compare recorded volumes by what the chain shows, whatever amounts the records have", () =>
    Effect.gen(function* () {
      const more = yield* create({ symbol: "MORE", tags: ["units"] })
      const less = yield* create({ symbol: "LESS", tags: ["units"] })
      const baseToken = less.mintAddress
      const userAddress = sampleAddress()
      yield* recordTrade({ userAddress, baseToken: more.mintAddress, action: "BUY", amountIn: "3" }, "3")
      yield* recordTrade({ userAddress, baseToken, action: "BUY", amountIn: "1e9", amountInDecimals: 9 }, "1")
      yield* recordTrade({ userAddress, baseToken, action: "SELL", amountOut: "1500000", amountOutDecimals: 6 }, "1.5")
      yield* recordTrade({ userAddress, baseToken, action: "BUY", amountIn: "1e30" })
      yield* countRecords()
      const found = yield* listed("/api/tokens/popular?tag=units")
      assert.deepStrictEqual(symbols(found), ["MORE", "LESS"])
    }),
  )
})
