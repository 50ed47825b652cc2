import type { AccessOptions } from "@launch-registry/server/access/AccessOptions"
import { apiKeyStatements } from "@launch-registry/server/access/ApiKeys"
import type { Scope } from "@launch-registry/domain/access/Caller"
import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../TestServer.ts"

/** `ADMIN_KEY`, and the header that it is sent in. */
export const ADMIN_KEY = "an-admin-key-of-more-than-32-characters"
export const AS_ADMIN = { "x-api-key": ADMIN_KEY }

/** Access of a service at `https://api.example`, open unless something else is said. */
export const accessOf = (fields: Partial<AccessOptions>): AccessOptions => ({
  ...{ writeAuth: [], adminKeys: [], adminWallets: [], writingOrigins: [], auditDays: 30 },
  site: { domain: "api.example", uri: "https://api.example", chainId: "localnet" },
  ...fields,
})

/** The same with `ADMIN_KEY`. */
export const adminAccess = (fields: Partial<AccessOptions> = {}): AccessOptions =>
  accessOf({ adminKeys: [Redacted.make(ADMIN_KEY)], ...fields })

/** A new key, as the header that it is sent in. */
export const keyOf = Effect.fnUntraced(function* (...scopes: ReadonlyArray<Scope>) {
  const { create } = apiKeyStatements(yield* SqlClient)
  const { id, text } = yield* create({ name: `${scopes.join(" and ")} key`, scopes, days: undefined })
  return { id, text: Redacted.value(text), headers: { authorization: `Bearer ${Redacted.value(text)}` } }
})

/** What the audit log has of a caller, oldest first. */
export const auditOf = Effect.fnUntraced(function* (callerId: string) {
  const sql = yield* SqlClient
  return yield* sql<{
    readonly method: string
    readonly route: string
    readonly subject: string | null
    readonly status: number | null
  }>`
    select method, route, subject, status from audit_log where caller_id = ${callerId} order by id`
})

/** Waits until the service knows a new key, one that may read, and all that were made before it. */
export const known = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
  const { request } = yield* TestServer
  yield* request("/api/system/rpc", { headers }).pipe(
    Effect.filterOrFail(({ status }) => status === 200),
    Effect.retry(Schedule.spaced("50 millis")),
  )
})
