import { assert, describe, it } from "@effect/vitest"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { capturedTransactions } from "../src/sources/CapturedTransactions.ts"
import { digest, fold, forget, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const SLOTS = [...new Set(capturedTransactions.map(({ slot }) => slot))].sort((left, right) => left - right)
const upTo = (slot: number) => capturedTransactions.filter((transaction) => transaction.slot <= slot)

describe("Indexing captured launches", () => {
  it.live("derives trades, pools and their stages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* receiveTransactions(capturedTransactions)
      yield* fold(yield* lead)
      const trades = yield* sql`select * from trades`
      const swaps = capturedTransactions
        .flatMap((transaction) => decodeTransaction(transaction))
        .filter(({ type }) => type === "Swapped")
      assert.strictEqual(trades.length, swaps.length)
      assert.strictEqual(trades.length, 16)
      const pools = yield* sql`select * from dbc_pools order by created_slot`
      assert.lengthOf(pools, 2)
      for (const pool of pools) {
        assert.isNotNull(pool.completedSlot)
        assert.isNotNull(pool.migratedPool)
        assert.strictEqual(pool.decimals, 6)
        assert.strictEqual(pool.supply, "1000000000000000")
      }
      const configs = yield* sql`select token_decimal from dbc_configs`
      assert.deepStrictEqual(configs, [{ tokenDecimal: 6 }, { tokenDecimal: 6 }])
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("gives the same tables after a restart at every slot, and after redelivery of everything", () =>
    Effect.gen(function* () {
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      const whole = yield* digest
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      assert.deepStrictEqual(yield* digest, whole)
      for (const slot of SLOTS) {
        yield* forget
        yield* receiveTransactions(upTo(slot))
        yield* fold(fence)
        yield* receiveTransactions(capturedTransactions)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole, `split at slot ${slot}`)
      }
    }).pipe(Effect.provide(testIndex)),
  )
})
