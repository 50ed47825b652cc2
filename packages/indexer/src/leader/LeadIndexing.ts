import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { regularly } from "@launch-registry/domain/time/Regularly"
import { Clock, Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Reconciler } from "../finality/Reconciler.ts"
import { WebhookRegistration } from "../helius/WebhookRegistration.ts"
import { IngestLog } from "../inbox/IngestLog.ts"
import { Indexer } from "../Indexer.ts"
import { rebuild } from "../replay/Rebuild.ts"
import { changeStatements } from "../sink/ChangeFeed.ts"
import { TRADING_WINDOWS, tradingWindowStatements } from "../sink/TradingWindows.ts"
import { follower } from "../sources/Follower.ts"
import { whileLeading } from "./Leader.ts"
import { type Fence, LeaseLost, leaseStatements } from "./Lease.ts"
import { type LeaderReport, reportStatements } from "./ReportStatements.ts"

/** Where confirmed transactions come from: Helius sends them, the chain is asked for them, or the chain is left alone. */
export type IndexSource = "webhook" | "poll" | "off"

export interface LeadIndexingOptions {
  /** Names this process in the lease. */
  readonly holder: string
  readonly source: IndexSource
  readonly leaseMillis?: number
  readonly reconcileMillis?: number
  readonly pollMillis?: number
}

export const LEASE_NAME = "indexer"
const LEASE_MILLIS = 5_000
const RECONCILE_MILLIS = 60_000
/** Without deliveries the reconciler has less to compare, and whoever runs a chain of their own wants to see it. */
const RECONCILE_POLLED_MILLIS = 10_000
const POLL_MILLIS = 1_000
const WEBHOOK_CHECK_MILLIS = 3_600_000
const PRUNE_MILLIS = 60_000
/** Followers that were away longer than this start over from the tables. */
const CHANGES_KEPT_MILLIS = 24 * 3_600_000

const NOTHING_FOUND = { missing: 0, dropped: 0, problem: null }

/**
 * Everything that exactly one process does: folds the log, compares it with the chain, keeps the webhook registered. Whichever
 * replica holds the lease does it; when that one dies, another takes over within the time of the lease.
 */
export const leadIndexing = Effect.fn("leadIndexing")(function* (options: LeadIndexingOptions) {
  const sql = yield* SqlClient
  const rpc = yield* Rpc
  const indexer = yield* Indexer
  const reconciler = yield* Reconciler
  const registration = yield* Effect.serviceOption(WebhookRegistration)
  const lease = leaseStatements(sql)
  const reports = reportStatements(sql)
  const windows = tradingWindowStatements(sql)
  const changes = changeStatements(sql)
  const isPolling = options.source === "poll"
  const context = yield* Effect.context<IngestLog | SqlClient>()
  const poll = isPolling ? yield* follower : Effect.succeed(0)

  /** What is said of the chain is said by the leader only: one that was replaced while it was stalled says nothing. */
  const report = (fence: Fence, facts: LeaderReport, before: Effect.Effect<unknown, SqlError> = Effect.void) =>
    Effect.gen(function* () {
      yield* lease.hold(fence)
      yield* before
      yield* reports.write("leader", facts, new Date(yield* Clock.currentTimeMillis))
    }).pipe(sql.withTransaction)

  /** Where proving begins: where this chain was first seen. Another chain, as after a reset localnet, begins anew. */
  const begin = Effect.fnUntraced(function* (fence: Fence) {
    const cluster = yield* rpc.call((kit) => kit.getGenesisHash())
    const known = yield* reports.leader
    if (known?.cluster === cluster) return BigInt(known.originSlot)
    const finalizedSlot: bigint = yield* rpc.call((kit) => kit.getSlot({ commitment: "finalized" }))
    const originSlot = finalizedSlot + 1n
    const slots = { originSlot: String(originSlot), finalizedSlot: String(finalizedSlot) }
    const first = { cluster, ...slots, source: options.source, ...NOTHING_FOUND }
    if (known !== undefined)
      yield* Effect.logWarning("The chain is another one than before: what was proven of that one is forgotten")
    // Kept before anything is proven: an origin that was lost with a crash would come back higher up, and hide what lies between.
    yield* report(fence, first, known === undefined ? Effect.void : reports.forgetCoverage)
    return originSlot
  })

  const reconcile = (fence: Fence) => {
    const round = Effect.gen(function* () {
      const result = yield* Effect.result(
        Effect.flatMap(begin(fence), (originSlot) => reconciler.round(originSlot, fence)),
      )
      const known = yield* reports.leader
      const { source } = options
      if (result._tag === "Success") {
        const { dropped, finalizedSlot, missing } = result.success
        const found = { finalizedSlot: String(finalizedSlot), missing, dropped, problem: null }
        return yield* report(fence, { ...known!, source, ...found })
      }
      const { failure } = result
      if (known !== undefined) yield* report(fence, { ...known, source, ...NOTHING_FOUND, problem: failure.message })
      return yield* Effect.fail(failure)
    })
    const everyMillis = options.reconcileMillis ?? (isPolling ? RECONCILE_POLLED_MILLIS : RECONCILE_MILLIS)
    return regularly("Comparing with the chain", everyMillis, round, isLost)
  }

  const checkWebhook = Option.map(registration, ({ check }) =>
    regularly(
      "Checking the webhook",
      WEBHOOK_CHECK_MILLIS,
      Effect.gen(function* () {
        const report = yield* check
        yield* reports.write("webhook", report, new Date(yield* Clock.currentTimeMillis))
      }),
    ),
  )

  const prune = Effect.gen(function* () {
    yield* changes.prune(new Date((yield* Clock.currentTimeMillis) - CHANGES_KEPT_MILLIS))
  })

  const work = (fence: Fence) =>
    Effect.andThen(
      rebuild(fence),
      Effect.all(
        [
          indexer.follow(fence),
          ...(options.source === "off" ? [] : [reconcile(fence)]),
          ...(isPolling
            ? [regularly("Asking the chain", options.pollMillis ?? POLL_MILLIS, Effect.provide(poll, context), isLost)]
            : []),
          ...Option.toArray(checkWebhook),
          ...TRADING_WINDOWS.map((window) =>
            regularly(`Counting the last ${window.span}`, window.everySeconds * 1000, windows.refresh(window)),
          ),
          regularly("Forgetting old changes", PRUNE_MILLIS, prune),
        ],
        { concurrency: "unbounded", discard: true },
      ),
    ).pipe(Effect.provide(context))

  return yield* whileLeading(
    { name: LEASE_NAME, holder: options.holder, ttlMillis: options.leaseMillis ?? LEASE_MILLIS },
    work,
  )
})

/** The lease went to another process: nothing of this term may go on. */
const isLost = (error: unknown): boolean => error instanceof LeaseLost
