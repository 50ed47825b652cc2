import { Clock, Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { reportStatements } from "../leader/ReportStatements.ts"
import { followedPools } from "./FollowedPools.ts"
import { ADDRESSES_MAX } from "../helius/Webhook.ts"
import type { WebhookRegistration } from "../helius/WebhookRegistration.ts"

/** A check, or an edit with the pools of a burst of migrations, every hour at the least. */
const CHECK_MILLIS = 3_600_000
/** Between edits: every one costs some hundred credits. */
const EDIT_MILLIS = 30_000
/** After no answer. Nothing is lost meanwhile: every edit names all addresses. */
const RETRY_MILLIS = 60_000

/** The program has one of the addresses. */
const POOLS_MAX = ADDRESSES_MAX - 1

/** What the last check left. */
interface Checked {
  /** When the newest pool in the webhook was first followed; `undefined` where that is not known. */
  readonly newestMillis: number | null | undefined
  readonly nextEditMillis: number
  readonly nextCheckMillis: number
}

/**
 * An effect that keeps the webhook as it should be: checks it every hour, and names new migrated pools in it soon after they are
 * followed. To be run often: mostly it is a look at the database, or nothing where no webhook is registered by this process.
 */
export const followWebhook = Effect.fnUntraced(function* (registration: Option.Option<WebhookRegistration["Service"]>) {
  const sql = yield* SqlClient
  const followed = followedPools(sql)
  const reports = reportStatements(sql)
  if (Option.isNone(registration)) return Effect.void
  const { check } = registration.value
  let last: Checked | undefined

  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // Before the pools are read: one that is added in between is new the next time.
    const newestMillis = (yield* followed.newestAt)?.getTime() ?? null
    const isNew = last === undefined || newestMillis !== last.newestMillis
    if (last !== undefined && now < last.nextCheckMillis && !(isNew && now >= last.nextEditMillis)) return
    const pools = yield* followed.mostActive(POOLS_MAX)
    const left = pools.length < POOLS_MAX ? 0 : (yield* followed.count(new Date(now))).followed - pools.length
    const report = yield* check(pools, left)
    const isDone = report.state === "registered" || report.state === "repaired"
    const retryMillis = now + (report.state === "unreachable" ? RETRY_MILLIS : CHECK_MILLIS)
    last = isDone
      ? { newestMillis, nextEditMillis: now + EDIT_MILLIS, nextCheckMillis: now + CHECK_MILLIS }
      : { newestMillis: undefined, nextEditMillis: retryMillis, nextCheckMillis: retryMillis }
    yield* reports.write("webhook", report, new Date(now))
  })
})
