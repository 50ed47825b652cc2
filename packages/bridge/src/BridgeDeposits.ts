import type {
  AcceptedDeposit,
  BridgeDepositReport,
  ReportedDeposit,
} from "@launch-registry/domain/bridge/BridgeDeposit"
import { SwapEnded } from "@launch-registry/domain/bridge/BridgeErrors"
import { TooMany } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Clock, Context, Effect, Layer, Random } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { leasedQueue, releaseOnInterrupt } from "@launch-registry/postgres/LeasedQueue"
import { BridgeSwaps } from "./BridgeSwaps.ts"
import { BridgeUpstream } from "./BridgeUpstream.ts"
import { IntentsClient } from "./intents/IntentsClient.ts"
import { depositPriority } from "./DepositPriority.ts"
import { swapQueue } from "./SwapQueue.ts"
import type { SwapRow } from "./SwapRow.ts"

/**
 * Reports stored per swap: anybody may report, so the outbox is bounded. Beyond it a report that was submitted and not accepted
 * is evicted, so that the real deposit still gets in, up to the hourly limit; one that was not submitted yet is evicted only
 * when there are that many.
 */
const DEPOSITS_MAX = 20
const REPORTS_AN_HOUR = 100
const HOUR_MILLIS = 3_600_000
const LEASE_MILLIS = 30_000
const RETRY_MILLIS = 2_000
const RETRY_MILLIS_MAX = 300_000
/** Refused deposits back off further: any hash may be reported. */
const REFUSED_RETRY_MILLIS_MAX = 1_800_000
/** The longest Retry-After that is honoured. */
const RETRY_AFTER_MILLIS_MAX = 3_600_000
/** A deposit that is refused for this long is not submitted any more; its swap is still polled. */
const REFUSED_MILLIS_MAX = 86_400_000

/** Of submissions, for the newest reports: a user who has just paid does not queue behind forged ones. */
const NEWEST_SHARE = 0.75

interface DepositRow {
  readonly swapId: string
  readonly txHash: string
  readonly nearSenderAccount: string | null
  readonly depositAddress: string
  readonly depositMemo: string | null
  readonly reportedAt: Date
  readonly attempts: number
  readonly refusals: number
  readonly leasedUntil: Date
}

/** Why a report was not taken. */
interface DeliveryFault {
  readonly reason: string
  readonly isRefused: boolean
  readonly retryAfterMillis?: number | undefined
}

/** Reported deposits: owner of `bridge_deposits`, the outbox to the swap service. */
export class BridgeDeposits extends Context.Service<
  BridgeDeposits,
  {
    /** Stores the report; it is submitted later. */
    readonly report: (
      report: BridgeDepositReport,
    ) => Effect.Effect<AcceptedDeposit, NotFound | SwapEnded | TooMany | InvalidRequest>
    readonly of: (swapId: string) => Effect.Effect<ReadonlyArray<ReportedDeposit>>
    readonly countDue: (limit: number) => Effect.Effect<number>
    /** Claims reports that are due: each is one request to the swap service. */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<Effect.Effect<void>>>
  }
>()("@launch-registry/bridge/BridgeDeposits") {
  static readonly layer = Layer.effect(
    BridgeDeposits,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const swaps = yield* BridgeSwaps
      const intents = yield* IntentsClient
      const upstream = yield* BridgeUpstream
      const queue = yield* swapQueue
      const {
        claim: claimRows,
        isHeld,
        moment,
        release,
      } = yield* leasedQueue({
        ...{ table: "bridge_deposits", key: { swapId: "uuid", txHash: "text" }, fence: "attempts" },
        ...{ lease: "next_attempt_at", leaseMillis: LEASE_MILLIS },
      })
      const order = depositPriority(sql)
      const nowDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

      const kept = (swapId: string, txHash: string) => sql<{ readonly reportedAt: Date }>`
        select reported_at from bridge_deposits where swap_id = ${swapId}::uuid and tx_hash = ${txHash}`

      const makeRoom = Effect.fnUntraced(function* (swapId: string, now: Date) {
        const [count] = yield* sql<{ readonly reports: bigint; readonly recent: bigint }>`
          select (select count(*) from bridge_deposits where swap_id = ${swapId}::uuid) as reports,
            (select count(*) from bridge_events where swap_id = ${swapId}::uuid and type = 'deposit_reported'
              and at > ${new Date(now.getTime() - HOUR_MILLIS)}) as recent`
        if (Number(count!.reports) < DEPOSITS_MAX) return
        if (Number(count!.recent) >= REPORTS_AN_HOUR)
          return yield* new TooMany({ resource: "deposits", limit: REPORTS_AN_HOUR })
        const isFull = Number(count!.reports) >= REPORTS_AN_HOUR
        const gone = yield* sql`
          delete from bridge_deposits where (swap_id, tx_hash) in (
            select swap_id, tx_hash from bridge_deposits
            where swap_id = ${swapId}::uuid and delivered_at is null and (attempts > 0 or ${isFull}::boolean)
            order by is_refused desc, refusals desc, attempts desc, reported_at, tx_hash limit 1)
          returning tx_hash`
        if (isFull && gone.length === 0) return yield* new TooMany({ resource: "deposits", limit: REPORTS_AN_HOUR })
      })

      const keep = Effect.fnUntraced(function* (swapId: string, { nearSenderAccount, txHash }: BridgeDepositReport) {
        // The lock makes one of two equal reports the first, and the count right.
        const [held] = yield* sql<Pick<SwapRow, "status" | "substatus" | "nextPollAt">>`
          select status, substatus, next_poll_at from bridge_swaps where id = ${swapId}::uuid for update`
        if (held === undefined) return yield* new NotFound({ resource: "swap", id: swapId })
        const [before] = yield* kept(swapId, txHash)
        if (before !== undefined) return before.reportedAt
        const now = yield* nowDate
        // A delivered or refunded swap has had its deposit, and one that is no longer polled would show nothing. Expired and
        // failed ones are polled for days: late money belongs to a user.
        const { nextPollAt, status, substatus } = held
        if (nextPollAt === null || substatus === "delivered" || substatus === "refunded")
          return yield* new SwapEnded({ id: swapId, status, substatus })
        yield* makeRoom(swapId, now)
        yield* sql`
          insert into bridge_deposits (swap_id, tx_hash, near_sender_account, reported_at, next_attempt_at)
          values (${swapId}::uuid, ${txHash}, ${nearSenderAccount ?? null}, ${now}, ${(yield* moment).now})`
        yield* queue.noteDeposit(swapId, txHash)
        return now
      }, sql.withTransaction)

      const report = Effect.fn("BridgeDeposits.report")(function* (told: BridgeDepositReport) {
        const swap = yield* swaps.getByAddress(told.depositAddress, {
          value: told.memo ?? undefined,
          path: "body.memo",
        })
        const reportedAt = yield* keep(swap.id, told).pipe(Effect.catchTag("SqlError", Effect.die))
        return {
          accepted: true as const,
          id: swap.id,
          depositAddress: swap.depositAddress,
          depositMemo: swap.depositMemo,
          txHash: told.txHash,
          reportedAt: reportedAt.toISOString(),
        }
      })

      const of = Effect.fn("BridgeDeposits.of")(function* (swapId: string) {
        const rows = yield* sql<{
          readonly txHash: string
          readonly reportedAt: Date
          readonly deliveredAt: Date | null
          readonly lastError: string | null
        }>`
          select tx_hash, reported_at, delivered_at, last_error from bridge_deposits
          where swap_id = ${swapId}::uuid order by reported_at, tx_hash`.pipe(Effect.orDie)
        return rows.map(({ deliveredAt, lastError, reportedAt, txHash }) => ({
          ...{ txHash, lastError, reportedAt: reportedAt.toISOString() },
          deliveredAt: deliveredAt?.toISOString() ?? null,
        }))
      })

      const countDue = Effect.fnUntraced(function* (limit: number) {
        const [row] = yield* sql<{ readonly due: bigint }>`
          select count(*) as due from (
            select from bridge_deposits where next_attempt_at <= ${(yield* moment).now}
            order by next_attempt_at limit ${limit}) due`.pipe(Effect.orDie)
        return Number(row!.due)
      })

      const confirm = Effect.fnUntraced(function* ({ swapId, txHash }: DepositRow, raw: string) {
        const [first] = yield* sql`
          update bridge_deposits set delivered_at = ${yield* nowDate}, next_attempt_at = null, last_error = null
          where swap_id = ${swapId}::uuid and tx_hash = ${txHash} and delivered_at is null returning tx_hash`
        if (first !== undefined) yield* queue.noteDelivery(swapId, { type: "deposit_delivered", txHash, raw })
      }, sql.withTransaction)

      const postpone = Effect.fnUntraced(function* (row: DepositRow, fault: DeliveryFault) {
        const now = yield* nowDate
        const isGivenUp = fault.isRefused && now.getTime() - row.reportedAt.getTime() >= REFUSED_MILLIS_MAX
        const most = fault.isRefused
          ? Math.min(REFUSED_RETRY_MILLIS_MAX, RETRY_MILLIS * 2 ** Math.min(row.refusals, 20))
          : Math.min(RETRY_MILLIS_MAX, RETRY_MILLIS * 2 ** Math.min(row.attempts - 1, 20))
        const pause = Math.max(
          Math.min(fault.retryAfterMillis ?? 0, RETRY_AFTER_MILLIS_MAX),
          most * (0.5 + 0.5 * (yield* Random.next)),
        )
        const next = isGivenUp ? null : (yield* moment).after(pause)
        const [written] = yield* sql`
          update bridge_deposits set last_error = ${fault.reason}, next_attempt_at = ${next},
            is_refused = ${isGivenUp}, refusals = refusals + ${fault.isRefused ? 1 : 0}::integer
          where ${isHeld(row)} and delivered_at is null returning tx_hash`
        if (isGivenUp && written !== undefined)
          yield* queue.noteDelivery(row.swapId, { type: "deposit_refused", txHash: row.txHash, reason: fault.reason })
      }, sql.withTransaction)

      const deliver = (row: DepositRow) => {
        const { depositAddress, depositMemo, nearSenderAccount, txHash } = row
        const submission = {
          ...{ depositAddress, txHash },
          ...(depositMemo !== null && { memo: depositMemo }),
          ...(nearSenderAccount !== null && { nearSenderAccount }),
        }
        return upstream.allowed(intents.submitDeposit(submission)).pipe(
          Effect.flatMap(({ raw }) => confirm(row, raw)),
          Effect.catchTags({
            // The swap service answers so shortly after a quote, or before it has seen the transfer.
            DepositAddressUnknown: ({ message }) => postpone(row, { reason: message, isRefused: true }),
            IntentsRefused: ({ message }) => postpone(row, { reason: message, isRefused: true }),
            IntentsUnavailable: ({ message, retryAfterMillis }) =>
              postpone(row, { reason: message, isRefused: false, retryAfterMillis }),
          }),
          Effect.orDie,
          releaseOnInterrupt(release(row)),
          Effect.withSpan("deliverDeposit", { kind: "consumer", root: true }),
        )
      }

      const returning = sql`s.swap_id, s.tx_hash, s.near_sender_account, s.reported_at, s.attempts, s.refusals,
        (select deposit_address from bridge_swaps where id = s.swap_id) as deposit_address,
        (select deposit_memo from bridge_swaps where id = s.swap_id) as deposit_memo`

      const claimAmong = (candidates: (now: Fragment) => Fragment, limit: number) =>
        limit <= 0
          ? Effect.succeed([])
          : claimRows<DepositRow>(
              ({ now }) => sql`
                select swap_id, tx_hash from bridge_deposits
                where (swap_id, tx_hash) in (
                  select swap_id, tx_hash from (${candidates(now)}) due order by turn, place limit ${limit})
                  and next_attempt_at <= ${now}`,
              returning,
            ).pipe(Effect.orDie)

      const claim = Effect.fnUntraced(function* (limit: number) {
        const newest = Math.floor(limit * NEWEST_SHARE + (yield* Random.next))
        const rows = yield* claimAmong(order.newest, newest)
        return [...rows, ...(yield* claimAmong(order.leastRefused, limit - rows.length))].map(deliver)
      })

      return BridgeDeposits.of({ report, of, countDue, claim })
    }),
  )
}
