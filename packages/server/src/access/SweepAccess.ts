import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AccessOptions } from "./AccessOptions.ts"
import { auditLog } from "./audit/AuditLog.ts"
import { signedNonces } from "./wallets/SignedNonces.ts"

const SWEEP_MILLIS = 600_000
/** Rows per statement, to keep locks short. */
const BATCH = 1_000

const allOf = <E>(sweep: Effect.Effect<number, E>) => Effect.repeat(sweep, { while: (removed) => removed === BATCH })

/**
 * Deletes expired nonces and old audit rows for the lifetime of the process, also those of a time when writes were closed.
 * Safe in any number of processes.
 */
export const sweepAccess = ({ auditDays }: Pick<AccessOptions, "auditDays">) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const sweeps = Effect.andThen(allOf(signedNonces(sql).sweep(BATCH)), allOf(auditLog(sql).sweep(auditDays, BATCH)))
      yield* Effect.forkScoped(regularly("Sweeping nonces and the audit log", SWEEP_MILLIS, sweeps))
    }),
  )
