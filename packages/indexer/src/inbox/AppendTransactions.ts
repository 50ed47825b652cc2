import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { exactJson } from "./ExactJson.ts"
import { type Appended, IngestLog, type SourceName } from "./IngestLog.ts"
import { readBody } from "./ReadBody.ts"

/** Appends parsed transactions. Those without slot or signature are dead-lettered, as in a delivery. */
export const appendTransactions = (
  source: SourceName,
  transactions: ReadonlyArray<unknown>,
): Effect.Effect<Appended, SqlError, IngestLog> =>
  Effect.gen(function* () {
    const log = yield* IngestLog
    const body = Buffer.from(exactJson(transactions))
    return yield* log.append({ source, bodies: [body], ...readBody(body) })
  })
