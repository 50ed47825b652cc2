import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { changesOf } from "../../src/modules/DatabaseChanges.ts"
import { CUTS } from "../CutBodies.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, lead, receive } from "../TestIndex.ts"
import { completeAll, poisonLeft, textOf } from "./CompletedIndex.ts"
import {
  blocks,
  covered,
  digestOfAll,
  LAST,
  landed,
  ORIGIN,
  reconciledIndex,
  roundAtLast,
  transactions,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
/** With addresses of lookup tables. */
const swap = landed.find(
  (one) => changesOf([one]).trades.length > 0 && (one.meta.loadedAddresses?.readonly.length ?? 0) > 0,
)!

describe("A transaction that a block holds without having executed it", () => {
  it.live("has no facts and lacks nothing, however it was delivered, and its slot is proven", () =>
    Effect.gen(function* () {
      // Nodes answer it without fee, logs, balances and calls (SIMD-0290).
      const meta = { err: "InsufficientFundsForFee", fee: 0, logMessages: null, innerInstructions: null }
      const unexecuted = {
        ...swap,
        meta: { ...meta, loadedAddresses: null, preBalances: [], postBalances: [] },
      } as never
      const held = blocks.map(({ slot, transactions: all }) => ({
        slot,
        transactions: all.map((one) => (one === swap ? unexecuted : one)),
      }))
      const cluster = yield* standInCluster(held)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(
          fence,
          transactions.filter((one) => one !== swap),
        )
        for (const delivered of [unexecuted, swap, CUTS["no outcome"](swap), CUTS["inner instructions null"](swap)]) {
          yield* forget
          yield* receive([textOf([...transactions.filter((one) => one !== swap), delivered])])
          yield* completeAll(fence)
          assert.deepInclude(yield* roundAtLast(fence), { problem: null, missing: 0 })
          yield* fold(fence)
          assert.deepStrictEqual(yield* poisonLeft, [])
          assert.deepStrictEqual(yield* digest, whole)
          assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        }
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
