import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { seededDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { accountsOf, post, readPool as read, SIGNER } from "./BuildRequests.ts"

layer(TestServer.layer({ stage: "migrated", tradingRequiresWhitelist: true }))("A curve that has migrated", (it) => {
  it.effect("is traded in its DAMM v2 pool, when the token is whitelisted as the setting requires", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const baseMint = SEEDED_MINTS.spl
      const swap = { baseMint, signer: SIGNER, amount: 1_000_000_000, swapBaseForQuote: false }
      assert.strictEqual((yield* post("swap", swap, 403)).body.code, "trading_not_allowed")
      yield* request("/api/tokens", { json: seededDraft(baseMint) })
      const isTradable = Effect.map(request(`/api/launch/whitelist/${baseMint}`), ({ body }) => body.data.tradable)
      assert.isFalse(yield* isTradable)
      yield* post("whitelist", { tokenAddress: baseMint })
      assert.isTrue(yield* isTradable)
      const { data: state } = (yield* read(`state/${baseMint}`)).body
      assert.isTrue(state.isMigrated)
      const { data } = (yield* post("swap", swap)).body
      assert.deepInclude(data.quote, { venue: "damm_v2", pool: state.graduatedPool, amountIn: "1000000000" })
      assert.include(accountsOf(data.transaction), state.graduatedPool)
      const { baseMint: mintAddress, signer: _, ...quoteOnly } = swap
      assert.deepStrictEqual((yield* post("quote", { mintAddress, ...quoteOnly })).body.data, data.quote)
    }),
  )

  it.effect("is read with the pool that it trades in", () =>
    Effect.gen(function* () {
      for (const baseMint of Object.values(SEEDED_MINTS)) {
        const { data: state } = (yield* read(`state/${baseMint}`)).body
        const { migratedPool } = state
        assert.deepInclude(state, { venue: "damm_v2", graduatedPool: migratedPool.pool })
        assert.deepInclude(state, { price: migratedPool.price, marketCap: migratedPool.marketCap })
        assert.deepInclude(migratedPool, { isEnabled: true, dynamicFeeBps: 0 })
        assert.strictEqual(migratedPool.feeBps, migratedPool.baseFeeBps)
        for (const name of ["liquidity", "sqrtPrice", "baseReserve", "quoteReserve"])
          assert.match(migratedPool[name], /^[1-9]\d+$/)
      }
    }),
  )

  it.effect("an amount of any size is quoted or refused, and one that gives nothing is refused", () =>
    Effect.gen(function* () {
      for (const swapBaseForQuote of [true, false]) {
        const swap = { mintAddress: SEEDED_MINTS.token2022, amount: "18446744073709551615", swapBaseForQuote }
        const { data: quote } = (yield* post("quote", swap)).body
        const { migratedPool } = (yield* read(`state/${swap.mintAddress}`)).body.data
        const reserve = swapBaseForQuote ? migratedPool.quoteReserve : migratedPool.baseReserve
        assert.isTrue(BigInt(quote.expectedAmountOut) < BigInt(reserve))
      }
      const dust = { mintAddress: SEEDED_MINTS.token2022, amount: 1, swapBaseForQuote: true }
      assert.match((yield* post("quote", dust, 400)).body.issues[0].message, /would give nothing/)
    }),
  )
})

layer(TestServer.layer({ stage: "complete" }))("A curve that is complete", (it) => {
  it.effect("is refused until it has migrated", () =>
    Effect.gen(function* () {
      const baseMint = SEEDED_MINTS.spl
      const swap = { baseMint, signer: SIGNER, amount: 1_000_000, swapBaseForQuote: false }
      const { body } = yield* post("swap", swap, 409)
      assert.strictEqual(body.code, "curve_completed")
      assert.deepStrictEqual(body.details, {
        mintAddress: baseMint,
        isMigrated: false,
        graduatedPool: null,
        venue: "dbc",
      })
      assert.deepInclude((yield* read(`state/${baseMint}`)).body.data, { venue: "dbc", migratedPool: null })
    }),
  )
})
