import type { BridgeDepositReport } from "@launch-registry/domain/bridge/BridgeDeposit"
import { SwapEnded } from "@launch-registry/domain/bridge/BridgeErrors"
import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { BridgeSwaps } from "./BridgeSwaps.ts"
import { withEvent } from "./SwapEvents.ts"
import type { SwapRow } from "./SwapRow.ts"

/** Reports stored per swap: anybody may report, so beyond it one that was refused gives way to the next. */
const DEPOSITS_MAX = 20
const REPORTS_AN_HOUR = 100
const HOUR_MILLIS = 3_600_000

/** Reported deposits: owner of `bridge_deposits`, with SwapQueue, which submits them. */
export const bridgeDeposits = Effect.fnUntraced(function* (swaps: BridgeSwaps) {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const makeRoom = Effect.fnUntraced(function* (swapId: string, now: Date) {
    const [recent] = yield* sql<{ readonly reports: bigint; readonly first: Date | null }>`
      select count(*) as reports, min((event ->> 'at')::timestamptz) as first
      from bridge_swaps, jsonb_array_elements(events) event where id = ${swapId}::uuid
        and event ->> 'type' = 'deposit_reported' and (event ->> 'at')::timestamptz > ${new Date(now.getTime() - HOUR_MILLIS)}`
    if (Number(recent!.reports) >= REPORTS_AN_HOUR)
      return yield* new LimitReached({
        ...{ resource: "deposits", limit: REPORTS_AN_HOUR },
        retryAfterSeconds: Math.ceil((recent!.first!.getTime() + HOUR_MILLIS - now.getTime()) / 1_000),
      })
    yield* sql`
      delete from bridge_deposits where swap_id = ${swapId}::uuid and tx_hash in (
        select tx_hash from bridge_deposits
        where swap_id = ${swapId}::uuid and delivered_at is null and attempts > 0
          and (select count(*) from bridge_deposits where swap_id = ${swapId}::uuid) >= ${DEPOSITS_MAX}
        order by attempts desc, reported_at, tx_hash limit 1)`
  })

  const keep = Effect.fnUntraced(function* (swapId: string, { nearSenderAccount, txHash }: BridgeDepositReport) {
    // The lock makes one of two equal reports the first, and the count right.
    const [held] = yield* sql<Pick<SwapRow, "status" | "substatus" | "upstreamStatus" | "nextPollAt">>`
      select status, substatus, upstream_status, next_poll_at from bridge_swaps where id = ${swapId}::uuid for update`
    if (held === undefined) return yield* new NotFound({ resource: "swap", id: swapId })
    const [before] = yield* sql<{ readonly reportedAt: Date }>`
      select reported_at from bridge_deposits where swap_id = ${swapId}::uuid and tx_hash = ${txHash}`
    if (before !== undefined) return before.reportedAt
    // A delivered or refunded swap has had its deposit, and one that is no longer polled would show nothing. Expired and
    // failed ones are polled for days: late money belongs to a user.
    const { nextPollAt, status, substatus } = held
    if (nextPollAt === null || substatus === "delivered" || substatus === "refunded")
      return yield* new SwapEnded({ id: swapId, status, substatus })
    const reportedAt = new Date(yield* Clock.currentTimeMillis)
    yield* makeRoom(swapId, reportedAt)
    const { now } = yield* moment
    yield* sql`
      insert into bridge_deposits (swap_id, tx_hash, near_sender_account, reported_at, next_attempt_at)
      values (${swapId}::uuid, ${txHash}, ${nearSenderAccount ?? null}, ${reportedAt}, ${now})`
    // The swap's status is unchanged: it is looked at now, and a poll in flight is fenced off, since it did not know.
    yield* sql`
      update bridge_swaps
      set version = version + 1, lease_until = null, next_poll_at = least(next_poll_at, ${now}),
        events = ${withEvent(sql, held, { at: reportedAt, type: "deposit_reported", detail: txHash })}
      where id = ${swapId}::uuid`
    return reportedAt
  }, sql.withTransaction)

  /** Stores the report; it is submitted later. */
  const report = Effect.fn("BridgeDeposits.report")(function* (told: BridgeDepositReport) {
    const { depositAddress, depositMemo, id } = yield* swaps.getByAddress(told.depositAddress, {
      value: told.memo ?? undefined,
      path: "body.memo",
    })
    const reportedAt = yield* keep(id, told).pipe(Effect.catchTag("SqlError", Effect.die))
    const { txHash } = told
    return {
      accepted: true as const,
      id,
      depositAddress,
      depositMemo,
      txHash,
      reportedAt: reportedAt.toISOString(),
    }
  })

  return { report }
})
