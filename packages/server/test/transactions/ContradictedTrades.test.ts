import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  sampleAddress,
  sampleProgramAddress,
  sampleSignature,
  sampleWallet,
  transactionDraft,
} from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { askOf, counted, endOf, followTrade, PENDING, post, read, record, report } from "./Expiring.ts"
import { draftOfTrade, indexPool, indexTrade } from "./IndexTrades.ts"
import { landed, recordNode, tradedAnswer, unexecuted } from "./RecordNode.ts"

const indexed = Effect.gen(function* () {
  const pool = yield* indexPool()
  return yield* indexTrade(pool)
})

layer(TestServer.layer(), { excludeTestServices: true })("What the chain contradicts", (it) => {
  it.effect("is refused where the trade is indexed, with what the chain says, and counts for nothing", () =>
    Effect.gen(function* () {
      const trade = yield* indexed
      const right = draftOfTrade(trade)
      const lies: ReadonlyArray<readonly [field: string, lie: unknown, onChain: unknown]> = [
        ["userAddress", sampleWallet(), trade.trader],
        ["action", "SELL", "BUY"],
        ["baseToken", sampleAddress(), trade.baseMint],
        ["poolAddress", sampleAddress(), trade.pool],
      ]
      for (const [field, lie, onChain] of lies) {
        const { body, status } = yield* post({ ...right, [field]: lie })
        assert.strictEqual(status, 409, field)
        assert.strictEqual(body.code, "contradicts_chain")
        const { contradictions } = body.details
        assert.deepStrictEqual(
          contradictions.map((one: { field: string; onChain: unknown }) => [one.field, one.onChain]),
          [[field, onChain]],
        )
        assert.include(body.message, String(onChain))
      }
      const both = yield* post({ ...right, userAddress: sampleWallet(), action: "SELL", amountOut: "1e30" })
      assert.strictEqual(both.status, 409)
      assert.deepStrictEqual(yield* counted(trade.baseMint), [0, "0"])
    }),
  )

  it.effect("counts for nothing while the chain has not confirmed it", () =>
    Effect.gen(function* () {
      const baseToken = sampleAddress()
      const sent = { baseToken, amountIn: "1e30" }
      yield* post({ ...sent, txHash: sampleSignature() })
      for (const fields of [{ txHash: sampleSignature() }, { txHash: "by-hand" }, { chain: "near" }]) {
        const { body } = yield* post({ ...sent, ...fields })
        const reported = yield* report(body.transaction.id, { status: "success" })
        assert.strictEqual(reported.body.transaction.status, "success")
      }
      yield* askOf([yield* recordNode()])
      assert.deepStrictEqual(yield* counted(baseToken), [0, "0"])
    }),
  )

  it.effect("is not a trade that was filled at another price, or in part: it has the amounts of the chain", () =>
    Effect.gen(function* () {
      for (const estimate of [
        { amountOut: 900 },
        { amountIn: 2 },
        { amountIn: 1.2 },
        { amountIn: 150, amountOut: 100_000 },
      ]) {
        const trade = yield* indexed
        const { body, status } = yield* post({ ...draftOfTrade(trade), ...estimate, slippageBps: 0 })
        assert.strictEqual(status, 201, JSON.stringify(body))
        assert.deepInclude(body.transaction, { status: "success", amountIn: "1.5", amountOut: "1000" })
        assert.deepStrictEqual(yield* counted(trade.baseMint), [1, "1.5"])
      }
    }),
  )

  it.effect("is corrected in amounts that a client rounded or estimated, in the units that it sent", () =>
    Effect.gen(function* () {
      const trade = yield* indexed
      const { body } = yield* post({ ...draftOfTrade(trade), amountIn: 1.51, amountOut: "999.99", pricePerToken: 7 })
      assert.deepInclude(body.transaction, {
        ...{ status: "success", amountIn: "1.5", amountInDecimals: 0, amountOut: "1000", pricePerToken: "0.0015" },
      })
      assert.deepStrictEqual(yield* counted(trade.baseMint), [1, "1.5"])
      const again = yield* indexed
      const units = { amountIn: 1_500_000_001, amountInDecimals: 9, amountOut: 1_000_000_000, amountOutDecimals: 6 }
      const small = (yield* post({ ...draftOfTrade(again), ...units })).body.transaction
      assert.deepInclude(small, { amountIn: "1500000000", amountInDecimals: 9, amountOut: "1000000000" })
      const sale = yield* indexTrade({ ...(yield* indexPool()), side: "SELL" })
      const sold = (yield* post({ ...draftOfTrade(sale), amountIn: 1_000, amountOut: 1.5 })).body.transaction
      assert.deepInclude(sold, { status: "success", amountIn: "1000", amountOut: "1.5", pricePerToken: "0.0015" })
    }),
  )

  it.effect("is not a trade that was paid in another token than the pool's: the index does not say it", () =>
    Effect.gen(function* () {
      const trade = yield* indexed
      const { body } = yield* post({ ...draftOfTrade(trade), quoteToken: sampleAddress() })
      assert.strictEqual(body.transaction.status, "pending")
      yield* followTrade(trade)
      assert.deepStrictEqual(yield* endOf(body.transaction), PENDING)
      const others = { quoteToken: sampleAddress(), userAddress: sampleWallet() }
      assert.strictEqual((yield* post({ ...draftOfTrade(trade), ...others })).status, 409)
    }),
  )

  it.effect("ends records of before, when the trade is indexed: corrected, or failed with a reason", () =>
    Effect.gen(function* () {
      const pool = yield* indexPool()
      const [signature, trader] = [sampleSignature(), sampleWallet()]
      const right = draftOfTrade({ ...pool, signature, trader, quoteMint: transactionDraft().quoteToken, side: "BUY" })
      const own = (yield* post({ ...right, amountIn: "1e30", amountOut: 1 })).body.transaction
      const side = (yield* post({ ...right, action: "SELL", amountOut: "1e30" })).body.transaction
      const stranger = (yield* post({ ...right, userAddress: sampleWallet(), amountIn: "1e30" })).body.transaction
      yield* report(stranger.id, { status: "success" })
      yield* followTrade(yield* indexTrade({ ...pool, signature, trader }))
      assert.deepInclude(yield* read(own), {
        status: "success",
        statusReason: null,
        amountIn: "1.5",
        amountOut: "1000",
      })
      assert.deepStrictEqual(yield* endOf(side), ["failed", "contradicted by the chain: action is BUY, not SELL"])
      const reason = `contradicted by the chain: userAddress is ${trader}, not ${stranger.userAddress}`
      assert.deepStrictEqual(yield* endOf(stranger), ["failed", reason])
      assert.deepStrictEqual(yield* counted(pool.baseMint), [1, "1.5"])
    }),
  )

  it.effect("is not reported by a client either", () =>
    Effect.gen(function* () {
      const trade = yield* indexed
      const pending = (fields: Readonly<Record<string, unknown>>) =>
        Effect.map(
          post({ ...draftOfTrade(trade), ...fields, txHash: sampleSignature() }),
          ({ body }) => body.transaction,
        )
      const stranger = yield* pending({ userAddress: sampleWallet() })
      const success = { status: "success", txHash: trade.signature }
      const refused = yield* report(stranger.id, success)
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "contradicts_chain"])
      assert.deepStrictEqual(yield* endOf(stranger), PENDING)
      const own = yield* pending({ amountIn: "1e30" })
      const failed = yield* report(own.id, { ...success, status: "failed" })
      assert.deepStrictEqual(failed.body.details.contradictions, [
        { field: "status", onChain: "success", sent: "failed" },
      ])
      const { body } = yield* report(own.id, success)
      assert.deepInclude(body.transaction, { status: "success", amountIn: "1.5", txHash: trade.signature })
    }),
  )

  it.effect("ends records by the transaction itself, where no trade of it is indexed", () =>
    Effect.gen(function* () {
      const { pool: poolOfLaunch } = yield* indexPool()
      const unchanged = { preTokenBalances: [], postTokenBalances: [] }
      const cases: ReadonlyArray<
        readonly [
          fields: Readonly<Record<string, unknown>>,
          answer: object | null,
          meta: Readonly<Record<string, unknown>>,
          status: string,
        ]
      > = [
        [{}, {}, {}, "success"],
        [{ action: "SELL" }, {}, {}, "success"],
        [{ amountIn: "1e30" }, {}, {}, "success"],
        [{}, { userAddress: sampleWallet() }, {}, "failed"],
        [{}, { action: "SELL" }, {}, "failed"],
        [{}, { baseToken: sampleAddress() }, {}, "failed"],
        [{}, { quoteToken: sampleAddress() }, {}, "failed"],
        [{}, { poolAddress: sampleAddress() }, {}, "failed"],
        [{ poolAddress: poolOfLaunch }, {}, {}, "failed"],
        [{}, {}, unchanged, "failed"],
        [{}, {}, { innerInstructions: null }, "pending"],
        [{}, {}, { preTokenBalances: null }, "pending"],
        [{}, null, {}, "pending"],
        [{}, {}, { err: unexecuted.err, fee: 0 }, "pending"],
      ]
      const statuses: Record<string, object> = {}
      const transactions: Record<string, object | null> = {}
      const made = yield* Effect.forEach(cases, ([fields, answer, meta, status]) =>
        Effect.gen(function* () {
          const quoteToken = sampleAddress()
          const one = yield* record({ quoteToken, ...fields })
          const sent = yield* read(one)
          statuses[one.txHash] = landed
          transactions[one.txHash] = answer === null ? null : tradedAnswer(one.txHash, { ...sent, ...answer }, meta)
          return { ...one, status, case: JSON.stringify([fields, answer, meta]) }
        }),
      )
      yield* askOf([yield* recordNode({ statuses, transactions })])
      for (const one of made) {
        const { amountIn, amountOut, baseToken, status, statusReason } = yield* read(one)
        assert.strictEqual(status, one.status, one.case)
        if (status === "success") assert.deepStrictEqual([amountIn, amountOut], ["3", "2"], one.case)
        // A record, but no volume: without a swap on a launch's pool, these may be transfers of any token.
        assert.deepStrictEqual(yield* counted(baseToken), [status === "success" ? 1 : 0, "0"], one.case)
        if (status === "failed") assert.match(statusReason, /^contradicted by the chain: /, one.case)
      }
    }),
  )

  it.effect("is not a trade that a program made for who signed", () =>
    Effect.gen(function* () {
      const trade = yield* indexTrade({ ...(yield* indexPool()), trader: sampleProgramAddress() })
      const user = sampleWallet()
      // Who signed is not indexed: the transaction says it.
      const one = yield* record({ ...draftOfTrade(trade), userAddress: user })
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      const wrong = yield* post({ ...draftOfTrade(trade), userAddress: user, poolAddress: sampleAddress() })
      assert.strictEqual(wrong.status, 409)
      const own = yield* post({ ...draftOfTrade(trade) })
      assert.strictEqual(own.body.transaction.status, "success")
      assert.deepStrictEqual(yield* counted(trade.baseMint), [1, "1.5"])
    }),
  )
})
