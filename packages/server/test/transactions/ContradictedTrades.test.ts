import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { countRecords } from "../../src/transactions/RecordedWindows.ts"
import {
  sampleAddress,
  sampleProgramAddress,
  sampleSignature,
  sampleWallet,
  transactionDraft,
} from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { askOf, endOf, PENDING, read, record } from "./Expiring.ts"
import { draftOfTrade, indexPool, indexTrade } from "./IndexTrades.ts"
import { landed, recordNode, tradedAnswer } from "./RecordNode.ts"

const post = (fields: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(TestServer, ({ request }) => request("/api/transactions", { json: transactionDraft(fields) }))

const report = (id: string, json: object) =>
  Effect.flatMap(TestServer, ({ request }) => request(`/api/transactions/${id}/status`, { method: "PATCH", json }))

/** Trader records and volume of a mint. */
const counted = Effect.fn(function* (baseMint: string) {
  const sql = yield* SqlClient
  yield* countRecords(0)
  const [row] = yield* sql<{ readonly trades: bigint; readonly volume: string }>`
    select trades, trim_scale(quote_volume)::text as volume from recorded_windows where base_mint = ${baseMint} and span = '24h' and traders > 0`
  return [Number(row?.trades ?? 0), row?.volume ?? "0"]
})

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
        ["quoteToken", sampleAddress(), trade.quoteMint],
        ["poolAddress", sampleAddress(), trade.pool],
        ["amountIn", "1e30", "1.5"],
        ["amountOut", 12, "1000"],
      ]
      for (const [field, lie, onChain] of lies) {
        const { body, status } = yield* post({ ...right, [field]: lie })
        assert.strictEqual(status, 409, field)
        assert.strictEqual(body.code, "trade_contradicts_chain")
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

  it.effect("has one record of a user, a transaction and an action, and each recording of it answers that one", () =>
    Effect.gen(function* () {
      const trade = { ...(yield* indexPool()), signature: sampleSignature(), trader: sampleWallet() }
      const draft = draftOfTrade({ ...trade, quoteMint: sampleAddress(), side: "BUY" })
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => post({ ...draft, amountIn: 1.2 })),
        { concurrency: 8 },
      )
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
      const ids = new Set(answers.map(({ body }) => body.transaction.id as string))
      assert.lengthOf([...ids], 1)
      const [id] = [...ids]
      for (const other of [{ baseToken: sampleAddress() }, { poolAddress: sampleAddress() }]) {
        const { body, status } = yield* post({ ...draft, ...other })
        assert.deepStrictEqual([status, body.code, body.details.id], [409, "transaction_already_recorded", id])
      }
      // Other users, actions and chains have records of their own.
      for (const other of [{ userAddress: sampleWallet() }, { action: "SELL" }, { chain: "near" }])
        assert.notInclude(ids, (yield* post({ ...draft, ...other })).body.transaction.id)
      // An estimate of before is answered as it has become, also by the same request again.
      yield* indexTrade({ ...trade, quoteMint: draft.quoteToken })
      const { request } = yield* TestServer
      const again = yield* post({ ...draft, amountIn: 1.2 })
      assert.deepStrictEqual([again.status, again.body.transaction.id], [201, id])
      // What another record has cannot become the hash of this one.
      const other = (yield* post({ ...draft, txHash: sampleSignature() })).body.transaction
      const moved = yield* report(other.id, { status: "failed", txHash: draft.txHash })
      assert.deepStrictEqual([moved.status, moved.body.code], [409, "transaction_already_recorded"])
      assert.strictEqual(moved.body.details.id, id)
      yield* request(`/api/transactions/${id}`, { method: "DELETE" })
      const later = yield* report(other.id, { status: "failed", txHash: sampleSignature() })
      assert.strictEqual(later.status, 200)
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
      const trade = yield* indexTrade({ ...pool, signature, trader })
      yield* commitChanges(sampleChange("trade", pool.baseMint, { signature, slot: String(trade.slot) }))
      const step = yield* followIndex
      while (yield* step) continue
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
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "trade_contradicts_chain"])
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
        const { amountIn, amountOut, status, statusReason } = yield* read(one)
        assert.strictEqual(status, one.status, one.case)
        if (status === "success") assert.deepStrictEqual([amountIn, amountOut], ["3", "2"], one.case)
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
    }),
  )
})
