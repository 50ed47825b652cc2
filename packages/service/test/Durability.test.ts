import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { durabilityRound } from "./durability/DurabilityRound.ts"
import { TARGETS } from "./durability/KillSchedule.ts"

const KILLS = 6
/** Its kills are of the service, of PostgreSQL, and of both. */
const SEED = 14

describe(`A service and its PostgreSQL, killed with -9 ${KILLS} times under writers of every kind`, () => {
  it.live(
    "lose nothing that was acknowledged, do nothing twice, and answer nothing that a client cannot make use of",
    () =>
      Effect.gen(function* () {
        const { figures } = yield* durabilityRound({ seed: SEED, kills: KILLS, secondsMax: Number.POSITIVE_INFINITY })
        const { kills, ledger } = figures
        assert.deepStrictEqual([...ledger.lost], [])
        assert.deepStrictEqual([...ledger.doubled], [])
        assert.deepStrictEqual(ledger.serverErrors, [])
        assert.deepStrictEqual(ledger.faults, [])
        // It was killed in all ways, and written to in all ways.
        assert.isTrue(TARGETS.every((target) => kills.get(target)! > 0))
        for (const [kind, times] of ledger.acknowledged) assert.isAbove(times, 0, kind)
        assert.isAbove(ledger.answers.get("broken") ?? 0, 0)
      }).pipe(Effect.scoped),
  )
})
