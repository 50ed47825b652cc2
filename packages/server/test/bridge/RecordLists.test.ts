import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { chainStatuses } from "../../src/transactions/ChainStatuses.ts"
import { TestServer } from "../TestServer.ts"
import { EVM_USER, SOL_USER, TestBridge, USDC_ON_ARB, USDC_ON_SOL } from "./TestBridge.ts"

const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"

layer(TestBridge.layer())("Records of swaps", (it) => {
  it.effect("are found as other records are, by whoever they are of and by either asset", () =>
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

  it.effect("do not end with the transaction on Solana that paid them", () =>
    Effect.gen(function* () {
      const { swap } = yield* TestBridge
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const { id } = yield* swap({ userAddress: SOL_USER })
      yield* sql`update transactions set tx_hash = ${SIGNATURE} where id = ${id}::uuid`
      yield* chainStatuses(sql).settle([SIGNATURE], "success", new Date())
      assert.strictEqual((yield* request(`/api/transactions/${id}`)).body.transaction.status, "pending")
    }),
  )
})
