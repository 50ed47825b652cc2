import type { SqlClient } from "effect/sql/SqlClient"

/** What changes many pending messages of an endpoint, whose row the caller has locked. */
export const pendingMessages = (sql: SqlClient) => ({
  /** How many there are, up to `limit`. */
  count: (endpointId: string, limit: number) => sql<{ readonly count: bigint }>`
    select count(*) as count from (
      select from notification_messages where endpoint_id = ${endpointId}::uuid and state = 'pending' limit ${limit}
    ) pending`,

  /** Those of a disabled endpoint fail, and can be redelivered once it is enabled. */
  fail: (endpointId: string, now: Date) => sql`
    update notification_messages set state = 'failed', settled_at = ${now}
    where endpoint_id = ${endpointId}::uuid and state = 'pending'`,
})
