import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { ClickHouseFailed } from "@launch-registry/clickhouse/ClickHouseFailed"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

const CHECKED_EVERY_MILLIS = 60_000

const another = new ClickHouseFailed({
  reason: "The database of HISTORY_URL does not have the history of this index",
  isPermanent: true,
})

/** Makes sure that ClickHouse has the history of this index, by the id that both know: a list of another one, or of none, would have a hole. */
export const sameHistory = (sql: SqlClient, clickHouse: ClickHouse) => {
  let checkedAt = Number.NEGATIVE_INFINITY
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - checkedAt < CHECKED_EVERY_MILLIS) return
    const found = yield* clickHouse.select<{ readonly id: string }>("select distinct id from history_identity limit 2")
    const [row] = yield* Effect.orDie(
      sql<{ readonly historyId: string | null }>`select history_id from history_progress`,
    )
    const known = row?.historyId ?? null
    if (found.length !== (known === null ? 0 : 1) || found.some(({ id }) => id !== known)) return yield* another
    checkedAt = now
  })
}
