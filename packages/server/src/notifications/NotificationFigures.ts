import { MessageState } from "@launch-registry/domain/notifications/NotificationMessage"
import { metricSeries } from "@launch-registry/postgres/MetricSeries"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { ATTEMPT_OUTCOMES } from "./PostMessage.ts"
import { Notifications } from "./Notifications.ts"

const COUNT_MAX = 10_000

/** What an endpoint may be counted as. */
export const ENDPOINT_STATES = [
  ...["enabled", "failing", "disabled_by_owner", "disabled_gone", "disabled_failing"],
] as const

interface Figures {
  readonly overdueSeconds: number
  readonly behind: bigint
}

/** Figures of notifications for metrics. */
export const readNotificationFigures = Effect.fnUntraced(function* (sql: SqlClient) {
  const counted = yield* Effect.forEach(MessageState.literals, (state) =>
    Effect.map(
      sql<{ readonly count: bigint }>`
        select count(*) as count from (
          select from notification_endpoints e cross join lateral (
            select from notification_messages m where m.endpoint_id = e.id and m.state = ${state} limit ${COUNT_MAX}) m
          limit ${COUNT_MAX}) counted`,
      ([row]) => [state, row!.count] as const,
    ),
  )
  const endpoints = yield* sql<{ readonly state: string; readonly count: bigint }>`
    select case when state = 'disabled' then 'disabled_' || disabled_reason
      when failing_since is not null then 'failing' else 'enabled' end as state, count(*) as count
    from notification_endpoints where state <> 'deleted' group by 1`
  const [row] = yield* sql<Figures>`
    select
      coalesce((
        select extract(epoch from greatest(now() - min(due.next_attempt_at), '0')) from notification_endpoints e
        cross join lateral (
          select m.next_attempt_at from notification_messages m
          where m.endpoint_id = e.id and m.state = 'pending' order by m.next_attempt_at limit 1
        ) due where e.state = 'enabled'), 0)::float8 as overdue_seconds,
      (select count(*) from (
        select from index_changes where id > (select change_id from server_progress where name = 'notifications') limit ${COUNT_MAX}
      ) unread) as behind`
  return {
    messages: counted,
    endpoints: ENDPOINT_STATES.map(
      (state) => [state, endpoints.find((one) => one.state === state)?.count ?? 0n] as const,
    ),
    ...row!,
  }
})

/** Attempts of this process, where notifications are switched on. */
export const attemptMetrics = Layer.effectDiscard(
  Effect.flatMap(Notifications, ({ parts }) =>
    parts.pipe(
      Effect.flatMap(({ figures }) =>
        Effect.map(metricSeries, ({ counter }) => {
          for (const outcome of ATTEMPT_OUTCOMES)
            counter(
              "notification_attempts_total",
              "Attempts of this process to deliver a message, by outcome (accepted: answered with 2xx; refused: with another status)",
              { outcome },
              () => figures.of(outcome),
            )
        }),
      ),
      Effect.catchTag("NotConfigured", () => Effect.void),
    ),
  ),
)
