import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { awaitingDatabase } from "../AwaitDatabase.ts"
import { regularly } from "../Regularly.ts"
import { DatabaseDurability } from "./DatabaseDurability.ts"
import { describeDurability, DURABILITY_COLUMNS, durabilityOf } from "./Durability.ts"

const LOOK_MILLIS = 1_000

/** Logs what an acknowledged write survives: at the start, where it is asked, and when the heartbeat finds that it has changed. */
export const tellDurability = Effect.gen(function* () {
  const sql = yield* SqlClient
  const state = yield* DatabaseDurability
  let told: string | undefined
  const tell = Effect.suspend(() => {
    const { durability, isShort, required } = state
    const said = durability && `The database: ${describeDurability(durability)}`
    if (said === undefined || said === told) return Effect.void
    told = said
    if (isShort) return Effect.logError(`${said}; DATABASE_DURABILITY demands ${required}`)
    return durability?.level === "none" ? Effect.logWarning(said) : Effect.logInfo(said)
  })
  const [row] = yield* awaitingDatabase(sql.unsafe(`select ${DURABILITY_COLUMNS}`))
  state.durability ??= durabilityOf(row)
  yield* tell
  yield* Effect.forkScoped(regularly("Telling what writes survive", LOOK_MILLIS, tell))
})
