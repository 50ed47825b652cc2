import { Api } from "@launch-registry/domain/Api"
import type { AuditEntry } from "@launch-registry/domain/access/AuditApi"
import { requireCredential } from "@launch-registry/domain/access/Caller"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { bigintPart, cursorOf, timePart } from "@launch-registry/http/answers/Cursor"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql/SqlClient"
import { auditLog, type AuditPosition, type AuditRow } from "./AuditLog.ts"

const ID_MAX = 2n ** 63n - 1n

const newestEntries = cursorOf<AuditPosition>({ at: timePart, id: bigintPart(ID_MAX) })

const { respondList } = answersOf("audit")

const toEntry = (row: AuditRow): AuditEntry => ({
  id: String(row.id),
  at: row.at.toISOString(),
  caller: { kind: row.callerKind, id: row.callerId, name: row.callerKind === "key" ? row.callerName : null },
  method: row.method,
  route: row.route,
  subject: row.subject,
  reason: row.reason,
  status: row.status,
  requestId: row.requestId,
})

/** Handlers of `/api/system/audit`. */
export const AuditHttp = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fn(function* (handlers) {
    const { list } = auditLog(yield* SqlClient)
    return handlers.handleAll({
      list: ({ query }) =>
        Effect.andThen(
          requireCredential,
          respondList("list", {
            key: "data",
            paging: query,
            cursor: newestEntries("audit", query),
            defaultLimit: PAGE_LIMIT,
            read: ({ after, limit }) =>
              Effect.map(Effect.orDie(list(query, { after, limit })), (rows) =>
                rows.map((row) => ({ item: toEntry(row), position: row })),
              ),
          }),
        ),
    } satisfies Answering<"audit">)
  }),
)
