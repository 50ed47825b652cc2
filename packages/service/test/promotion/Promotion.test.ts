import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { promotionRound } from "./PromotionRound.ts"

const SEED = 23

describe("A primary with a synchronous standby, killed with -9 under every kind of write", () => {
  it.live("loses nothing acknowledged to the promotion of the standby; streams go on without a hole", () =>
    Effect.gen(function* () {
      const { derived, ledger, replayed, stored, streams } = yield* promotionRound({ seed: SEED })
      assert.deepStrictEqual([...ledger.lost], [])
      assert.deepStrictEqual([...ledger.doubled], [])
      assert.deepStrictEqual(ledger.serverErrors, [])
      assert.deepStrictEqual(ledger.faults, [])
      for (const [kind, times] of ledger.acknowledged) assert.isAbove(times, 0, kind)
      for (const seen of streams) {
        const ids = seen.map(({ id }) => id)
        // No reset, and from its first event on every change once and in order.
        assert.deepStrictEqual(ids, stored.slice(stored.indexOf(ids[0]!)))
        assert.notInclude(
          seen.map(({ type }) => type),
          "reset",
        )
      }
      assert.isTrue(derived.some(({ rows }) => Number(rows) > 0))
      assert.deepStrictEqual(derived, replayed)
    }).pipe(Effect.scoped),
  )
})
