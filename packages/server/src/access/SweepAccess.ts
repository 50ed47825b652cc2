import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AccessOptions } from "./AccessOptions.ts"
import { auditLog } from "./audit/AuditLog.ts"

const SWEEP_MILLIS = 600_000
/** Rows per statement, to keep locks short. */
const BATCH = 1_000

/** Deletes old audit rows for the lifetime of the process, also those of a time when writes were closed. Safe in any number of processes. */
export const sweepAccess = ({ auditDays }: Pick<AccessOptions, "auditDays">) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { sweep } = auditLog(yield* SqlClient)
      const all = Effect.repeat(sweep(auditDays, BATCH), { while: (removed) => removed === BATCH })
      yield* Effect.forkScoped(regularly("Sweeping the audit log", SWEEP_MILLIS, all))
    }),
  )
