import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "./TestServer.ts"
import { EVM_USER, SOL, TestBridge, USDC_ON_ARB, USDC_ON_SOL } from "../../bridge/test/TestBridge.ts"

const APP_FEES = [{ recipient: "app.near", fee: 50 }]
layer(TestBridge.layer())("Records of swaps", (it) => {
  it.effect("are found like other records, by owner and by either asset", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const { request } = yield* TestServer
      const { id } = yield* swap({ userAddress: EVM_USER })
      const asset = encodeURIComponent(USDC_ON_ARB)
      for (const path of [
        `?action=BRIDGE&userAddress=${EVM_USER}`,
        `/user/${EVM_USER}`,
        `?baseToken=${asset}&quoteToken=${encodeURIComponent(USDC_ON_SOL)}`,
        `/token/${asset}`,
        "?chain=solana&action=BRIDGE",
      ]) {
        const { body, status } = yield* request(`/api/transactions${path}`)
        assert.strictEqual(status, 200, `${path}: ${JSON.stringify(body)}`)
        assert.include(
          body.transactions.map((record: { readonly id: string }) => record.id),
          id,
          path,
        )
      }
      for (const path of ["/user/0x12", "/token/nep141", "?userAddress=nobody", "?action=LEND"])
        assert.strictEqual((yield* request(`/api/transactions${path}`)).status, 400, path)
    }),
  )

  it.effect("show the decimals of their amounts, which are in smallest units; the price is in whole tokens", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const { request } = yield* TestServer
      const { amountIn, amountOut, id } = yield* swap({ originAsset: SOL, amount: "2000000000", appFees: APP_FEES })
      const { transaction } = (yield* request(`/api/transactions/${id}`)).body
      assert.deepInclude(transaction, {
        amountIn,
        amountInDecimals: 9,
        amountOut,
        amountOutDecimals: 6,
        feeDecimals: 9,
        feeToken: SOL,
        quoteToken: SOL,
      })
      const wholeIn = Number(amountIn) / 10 ** transaction.amountInDecimals
      const wholeOut = Number(amountOut) / 10 ** transaction.amountOutDecimals
      assert.strictEqual(wholeIn, 2)
      assert.approximately(Number(transaction.pricePerToken) * wholeOut, wholeIn, 1e-9)
      assert.strictEqual(Number(transaction.fee) / 10 ** transaction.feeDecimals, 0.01)
    }),
  )
})
