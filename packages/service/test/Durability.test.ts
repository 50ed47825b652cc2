import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { durabilityRound } from "./durability/DurabilityRound.ts"

const SEED = 14

describe("A service and its PostgreSQL, killed with -9 under every kind of write until a synchronous standby is promoted", () => {
  it.live(
    "lose nothing acknowledged, do nothing twice, answer what clients can handle, and stream without a hole",
    () =>
      Effect.gen(function* () {
        const { derived, ledger, replayed, stored, streams } = yield* durabilityRound(SEED)
        assert.deepStrictEqual([...ledger.lost], [])
        assert.deepStrictEqual([...ledger.doubled], [])
        assert.deepStrictEqual(ledger.serverErrors, [])
        assert.deepStrictEqual(ledger.faults, [])
        for (const [kind, times] of ledger.acknowledged) assert.isAbove(times, 0, kind)
        assert.isAbove(ledger.answers.get("broken") ?? 0, 0)
        for (const seen of streams) {
          const ids = seen.map(({ id }) => id)
          // No reset, and from its first event on every change once and in order.
          assert.deepStrictEqual(ids, stored.slice(stored.indexOf(ids[0]!)))
          assert.isFalse(seen.some(({ type }) => type === "reset"))
        }
        assert.isTrue(derived.some(({ rows }) => Number(rows) > 0))
        assert.deepStrictEqual(derived, replayed)
      }).pipe(Effect.scoped),
  )
})
