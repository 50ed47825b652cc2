import type { AccessOptions } from "../../src/access/AccessOptions.ts"
import type { EndpointDraft } from "@launch-registry/domain/notifications/NotificationEndpoint"
import type * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type RequestOptions, TestServer } from "../../../service/test/TestServer.ts"
import { DELIVERY_PLACES } from "../../src/notifications/MessageQueue.ts"
import type { NotificationOptions } from "../../src/notifications/NotificationOptions.ts"
import { Notifications } from "../../src/notifications/Notifications.ts"

export const MASTER = Redacted.make("a-master-secret-of-tests-that-is-long-enough")

/** Sending to loopback, within limits that tests do not reach, however busy the machine is. */
export const OPTIONS: NotificationOptions = {
  ...{ masterSecrets: [MASTER], allowsPrivate: true, endpointsMax: 1_000, endpointsPerOwnerMax: 1_000, keepDays: 7 },
  timeoutMillis: 300_000,
}

/** A server that sends notifications when a test says so. */
export const serverOf = (
  changes: Partial<NotificationOptions> = {},
  server: { readonly access?: AccessOptions; readonly database?: typeof TestDatabase.layer } = {},
) => TestServer.layer({ notifications: { ...OPTIONS, ...changes }, rpcUrl: "http://127.0.0.1:9", ...server })

export const parts = Effect.flatMap(Notifications, ({ parts }) => Effect.orDie(parts))

/** Makes messages of what was committed. */
export const followAll = Effect.flatMap(parts, ({ follow }) => Effect.repeat(follow, { while: (more) => more }))

/** Delivers what is due. */
export const deliverAll = Effect.gen(function* () {
  const { deliverTo, dueEndpoints } = yield* parts
  for (;;) {
    const due = yield* dueEndpoints([], DELIVERY_PLACES)
    if (due.length === 0) return
    yield* Effect.forEach(due, deliverTo, { concurrency: "unbounded", discard: true })
  }
})

export const sendAll = Effect.andThen(followAll, deliverAll)

/** Makes all pending messages due. */
export const hurry = Effect.flatMap(
  SqlClient,
  (sql) => sql`update notification_messages set next_attempt_at = now() - interval '1 second' where state = 'pending'`,
)

const api = (path: string, options?: RequestOptions) =>
  Effect.flatMap(TestServer, ({ request }) => request(`/api/notifications${path}`, options))

export const call = (path: string, json?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  api(path, json === undefined ? { headers } : { json, headers })

export const patch = (id: string, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
  api(`/endpoints/${id}`, { method: "PATCH", json, headers })

export const remove = (id: string, headers: Readonly<Record<string, string>> = {}) =>
  api(`/endpoints/${id}`, { method: "DELETE", headers })

/** Creates an endpoint; its id and secret. */
export const endpoint = Effect.fnUntraced(function* (
  url: string,
  draft: Partial<{ readonly [Field in keyof EndpointDraft]: unknown }> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const { body, status } = yield* call("/endpoints", { url, types: ["trade", "revert"], ...draft }, headers)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data as { readonly id: string; readonly secret: string; readonly owner: string }
})

/** The messages of an endpoint, newest first. */
export const messagesOf = (id: string, query = "", headers: Readonly<Record<string, string>> = {}) =>
  Effect.map(call(`/endpoints/${id}/messages?limit=1000${query}`, undefined, headers), ({ body }) => body.data)

/** Adds many endpoints at once, as they are stored; `owner` and `mints` are SQL of `n`. */
export const insertEndpoints = (count: number, owner: string, mints = "'{}'") =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly id: string }>`
      insert into notification_endpoints (id, owner, url, description, types, mint_addresses, state, secret_version,
        after_change, is_skipping, skipped_messages, created_at, updated_at)
      select gen_random_uuid(), ${sql.literal(owner)}, 'http://127.0.0.1:9/hook', '', '{trade}', ${sql.literal(mints)}, 'enabled', 1, 0,
        false, 0, now() - n * interval '1 second', now() from generate_series(1, ${count}::int) n returning id`,
  )
