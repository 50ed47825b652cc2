import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress, tokenDraft, transactionDraft } from "../Samples.ts"
import { type Answer, TestServer } from "../TestServer.ts"

const create = Effect.fn(function* (fields: Readonly<Record<string, unknown>> = {}) {
  const { request } = yield* TestServer
  const answer = yield* request("/api/tokens", { json: tokenDraft(fields) })
  assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
})

const listed = Effect.fn(function* (path: string) {
  const { request } = yield* TestServer
  const answer = yield* request(path)
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  assert.strictEqual(answer.body.success, true)
  return answer.body.data as ReadonlyArray<Record<string, unknown>>
})

const symbols = (tokens: ReadonlyArray<Record<string, unknown>>) => tokens.map(({ symbol }) => symbol)

const ISO_MILLIS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

layer(TestServer.layer())("Registering and reading tokens", (it) => {
  it.effect("answers the registered token with every documented field", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const draft = tokenDraft({
        tokenUri: "https://example.com/t.json",
        website: "https://example.com",
        tags: ["meme"],
      })
      const { body, headers, status } = yield* request("/api/tokens", { json: draft })
      assert.strictEqual(status, 201)
      assert.isString(body.message)
      const { data } = body
      for (const field of [
        "name",
        "symbol",
        "description",
        "totalSupply",
        "mintAddress",
        "owner",
        "launchpad",
      ] as const) {
        assert.strictEqual(data[field], draft[field])
      }
      assert.strictEqual(data.decimals, 6)
      assert.strictEqual(data.active, true)
      assert.deepStrictEqual(data.tags, ["meme"])
      assert.match(data.createdAt, ISO_MILLIS)
      assert.strictEqual(data.updatedAt, data.createdAt)
      assert.strictEqual(headers.get("location"), `/api/tokens/${data.id}`)
      const read = yield* request(`/api/tokens/${data.id}`)
      assert.deepStrictEqual(read.body.data, data)
      assert.deepStrictEqual(read.body.data.metadata, {
        tokenUri: "https://example.com/t.json",
        bannerUri: "",
        website: "https://example.com",
        twitter: "",
        telegram: "",
      })
      const byMint = yield* request(`/api/tokens/mint/${draft.mintAddress}`)
      assert.deepStrictEqual(byMint.body.data, data)
    }),
  )

  it.effect("takes decimals as a string or a number, and the supply losslessly", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const body = JSON.stringify(tokenDraft({ decimals: 9 })).replace('"1000000000"', "18446744073709551615")
      const answer = yield* request("/api/tokens", { raw: body, headers: { "content-type": "application/json" } })
      assert.strictEqual(answer.status, 201)
      assert.strictEqual(answer.body.data.totalSupply, "18446744073709551615")
      assert.strictEqual(answer.body.data.decimals, 9)
    }),
  )

  it.effect("stores the whole DBC configuration with the token and gives it back as it was sent", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const tokenConfig = {
        quoteMint: SOL,
        dbcConfig: {
          buildCurveMode: 1,
          totalTokenSupply: 1_000_000_000,
          migrationOption: 1,
          tokenBaseDecimal: 6,
          tokenQuoteDecimal: 9,
          dynamicFeeEnabled: true,
          activationType: 1,
          collectFeeMode: 0,
          migrationFeeOption: 3,
          tokenType: 0,
          partnerLpPercentage: 25,
          creatorLpPercentage: 25,
          partnerLockedLpPercentage: 25,
          creatorLockedLpPercentage: 25,
          creatorTradingFeePercentage: 20,
          leftover: 10000,
          tokenUpdateAuthority: 1,
          leftoverReceiver: sampleAddress(),
          feeClaimer: sampleAddress(),
          poolCreationFee: 0.01,
          enableFirstSwapWithMinFee: true,
          buildCurveParam: { initialMarketCap: 30, migrationMarketCap: 400.5, liquidityWeights: [1, 2, 3] },
          baseFeeParams: {
            baseFeeMode: 0,
            feeSchedulerParam: { startingFeeBps: 100, endingFeeBps: 50, numberOfPeriod: 10, totalDuration: 3600 },
            rateLimiterParam: { baseFeeBps: 100, feeIncrementBps: 10, referenceAmount: 0.2, maxLimiterDuration: 60 },
          },
          lockedVestingParam: {
            totalLockedVestingAmount: 1000,
            numberOfVestingPeriod: 4,
            cliffUnlockAmount: 100,
            totalVestingDuration: 8640,
            cliffDurationFromMigrationTime: 60,
          },
          migrationFee: { feePercentage: 10, creatorFeePercentage: 50 },
          migratedPoolFee: { collectFeeMode: 0, dynamicFee: 1, poolFeeBps: 120, compoundingFeeBps: 0 },
        },
      }
      const token = yield* create({ tokenConfig })
      assert.deepStrictEqual(token.tokenConfig, tokenConfig)
      const read = yield* request(`/api/tokens/${token.id}`)
      assert.deepStrictEqual(read.body.data.tokenConfig, tokenConfig)
    }),
  )

  it.effect("refuses a mint that is registered, and stores no half of it", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const token = yield* create()
      const again = yield* request("/api/tokens", {
        json: tokenDraft({ mintAddress: token.mintAddress, tags: ["again"] }),
      })
      assert.strictEqual(again.status, 409)
      assert.strictEqual(again.body.code, "mint_already_registered")
      assert.deepStrictEqual(again.body.details, { mintAddress: token.mintAddress })
      assert.lengthOf(yield* listed("/api/tokens?tag=again"), 0)
    }),
  )

  it.effect("changes what may change and refuses every other field by name", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const token = yield* create({ tags: ["old"] })
      const json = { name: "Renamed", description: "", tags: ["new", "new"], active: false, twitter: "https://x.com/a" }
      const changed = yield* request(`/api/tokens/${token.id}`, { method: "PATCH", json })
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      assert.strictEqual(changed.body.data.name, "Renamed")
      assert.strictEqual(changed.body.data.active, false)
      assert.strictEqual(changed.body.data.metadata.twitter, "https://x.com/a")
      assert.isTrue(changed.body.data.updatedAt >= token.updatedAt)
      assert.lengthOf(yield* listed("/api/tokens?tag=old"), 0)
      assert.lengthOf(yield* listed("/api/tokens?tag=new&active=false"), 1)
      for (const field of ["mintAddress", "owner", "totalSupply", "decimals", "launchpad", "id", "createdAt"]) {
        const refused = yield* request(`/api/tokens/${token.id}`, { method: "PATCH", json: { [field]: token[field] } })
        assert.strictEqual(refused.status, 400, field)
        assert.include(JSON.stringify(refused.body.issues), `body.${field}`)
      }
      const empty = yield* request(`/api/tokens/${token.id}`, { method: "PATCH", json: {} })
      assert.strictEqual(empty.status, 400)
    }),
  )

  it.effect("deletes for every read and lets the mint be registered again", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const token = yield* create({ tags: ["doomed"], symbol: "DOOM" })
      const deleted = yield* request(`/api/tokens/${token.id}`, { method: "DELETE" })
      assert.strictEqual(deleted.status, 200)
      assert.deepStrictEqual(deleted.body.data, { deleted: true })
      assert.isString(deleted.body.message)
      const reads = [`/api/tokens/${token.id}`, `/api/tokens/mint/${token.mintAddress}`]
      for (const path of reads) assert.strictEqual((yield* request(path)).status, 404, path)
      const lists = ["/api/tokens?tag=doomed", "/api/tokens/search?q=doom", `/api/tokens/address/${token.owner}`]
      for (const path of lists) assert.lengthOf(yield* listed(path), 0, path)
      assert.strictEqual((yield* request(`/api/tokens/${token.id}`, { method: "DELETE" })).status, 404)
      yield* create({ mintAddress: token.mintAddress })
    }),
  )
})

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
        [`?mints=${a.mintAddress},${b.mintAddress}`, ["BBB", "AAA"]],
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

  it.effect("searches name, symbol and description in any case and ranks what it finds", () =>
    Effect.gen(function* () {
      const owner = sampleAddress()
      yield* create({ symbol: "ZZ1", name: "Other", description: "speaks of a MOON landing" })
      yield* create({ symbol: "ZZ2", name: "Moonwalk" })
      yield* create({ symbol: "MOONS", name: "Other" })
      yield* create({ symbol: "moon", name: "Other", owner })
      assert.deepStrictEqual(symbols(yield* listed("/api/tokens/search?q=Moon")), ["moon", "MOONS", "ZZ2", "ZZ1"])
      assert.deepStrictEqual(symbols(yield* listed(`/api/tokens/search?q=moon&owner=${owner}`)), ["moon"])
      assert.deepStrictEqual(symbols(yield* listed("/api/tokens/search?q=oo")), ["moon", "MOONS", "ZZ2", "ZZ1"])
      assert.lengthOf(yield* listed("/api/tokens/search?q=100%25"), 0)
      assert.lengthOf(yield* listed("/api/tokens/search?q=_"), 0)
    }),
  )

  it.effect("pages a search without losing or repeating a token", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const symbol of ["PAGE", "PAGE1", "PAGE2", "XX", "YY"]) yield* create({ symbol, name: `page ${symbol}` })
      const whole = symbols(yield* listed("/api/tokens/search?q=page"))
      const paged: Array<unknown> = []
      for (let cursor: string | null = ""; cursor !== null;) {
        const { body }: Answer = yield* request(
          `/api/tokens/search?q=page&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
        )
        paged.push(...symbols(body.data))
        assert.strictEqual(body.pagination.limit, 2)
        cursor = body.pagination.nextCursor
      }
      assert.deepStrictEqual(paged, whole)
      assert.lengthOf(whole, 5)
      const skipped = yield* request("/api/tokens/search?q=page&limit=2&offset=1")
      assert.deepStrictEqual(symbols(skipped.body.data), whole.slice(1, 3))
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
      const unknown = yield* request(`/api/tokens/holders/${sampleAddress()}`)
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "mint_not_found")
    }),
  )
})

layer(TestServer.layer(), { excludeTestServices: true })("Popular tokens", (it) => {
  it.effect("rank by traders and volume seen on chain, then by recorded trades, then by age, within the interval", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const [quiet, recorded, loud, busy] = [
        yield* create({ symbol: "QUIET" }),
        yield* create({ symbol: "RECORDED", tags: ["hot"] }),
        yield* create({ symbol: "LOUD" }),
        yield* create({ symbol: "BUSY", tags: ["hot"] }),
      ]
      const trade = (mint: string, trader: string, quoteAmount: string, minutesAgo: number) => {
        const at = new Date(Date.now() - minutesAgo * 60_000)
        const place = { signature: sampleAddress(), instruction: 0, innerInstruction: -1, pool: SOL, quoteMint: SOL }
        const amounts = { side: "BUY", baseAmount: "1", quoteAmount, fee: "0", nextSqrtPrice: "1" }
        return sql`insert into trades ${sql.insert({ ...place, ...amounts, baseMint: mint, trader, slot: 1n, blockTime: at })}`
      }
      // Two traders beat one, whatever the volume; many trades of one trader are one trader.
      yield* trade(busy.mintAddress, "a", "1", 2)
      yield* trade(busy.mintAddress, "b", "1", 90)
      for (let times = 0; times < 5; times++) yield* trade(loud.mintAddress, "c", "1000000", 3)
      for (const userAddress of [sampleAddress(), sampleAddress(), sampleAddress()]) {
        yield* request("/api/transactions", {
          json: transactionDraft({ baseToken: recorded.mintAddress, userAddress }),
        })
      }
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
})
