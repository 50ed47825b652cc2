import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { exactJson } from "./ExactJson.ts"
import { type Appended, IngestLog, type SourceName } from "./IngestLog.ts"
import { readBody, type Unreadable } from "./ReadBody.ts"

/** Appends parsed transactions. Those without slot or signature are poison, as in a delivery; `incomplete` are to be fetched later. */
export const appendTransactions = (
  source: SourceName,
  transactions: ReadonlyArray<unknown>,
  incomplete: ReadonlyArray<Unreadable> = [],
): Effect.Effect<Appended, SqlError, IngestLog> =>
  Effect.gen(function* () {
    const log = yield* IngestLog
    const body = Buffer.from(exactJson(transactions))
    const { elements, unreadable } = readBody(body)
    return yield* log.append({ source, bodies: [body], elements, unreadable: [...unreadable, ...incomplete] })
  })
