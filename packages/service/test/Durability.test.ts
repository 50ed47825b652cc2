import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { durabilityRound } from "./durability/DurabilityRound.ts"
import { TARGETS } from "./durability/KillSchedule.ts"

const KILLS = 6
/** Kills of the service, of PostgreSQL, and of both. */
const SEED = 14

describe(`A service and its PostgreSQL, killed with -9 ${KILLS} times under every kind of write`, () => {
  it.live("lose nothing acknowledged, do nothing twice, and give only answers that clients can handle", () =>
    Effect.gen(function* () {
      const { figures } = yield* durabilityRound({ seed: SEED, kills: KILLS, secondsMax: Number.POSITIVE_INFINITY })
      const { kills, ledger } = figures
      assert.deepStrictEqual([...ledger.lost], [])
      assert.deepStrictEqual([...ledger.doubled], [])
      assert.deepStrictEqual(ledger.serverErrors, [])
      assert.deepStrictEqual(ledger.faults, [])
      // Every kind of kill and of write happened.
      assert.isTrue(TARGETS.every((target) => kills.get(target)! > 0))
      for (const [kind, times] of ledger.acknowledged) assert.isAbove(times, 0, kind)
      assert.isAbove(ledger.answers.get("broken") ?? 0, 0)
    }).pipe(Effect.scoped),
  )
})
