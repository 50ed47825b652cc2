import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import type { SqlClient } from "effect/sql/SqlClient"
import { answeringPools } from "./AnsweringPools.ts"
import { coverageStatements } from "./CoverageStatements.ts"
import type { Subject } from "./ProveListing.ts"
import { reconcileStatements } from "./ReconcileStatements.ts"

/** The program. Trades on migrated pools are not of it, unless their transactions also call it. */
export const programSubject = (sql: SqlClient): Subject => {
  const inbox = reconcileStatements(sql)
  return {
    address: DBC_PROGRAM,
    foreign: "it does not involve the program",
    entries: ({ fromSlot, toSlot }) => inbox.entriesBetween(fromSlot, toSlot),
    unlisted: answeringPools(sql),
    cover: coverageStatements(sql).add,
  }
}
