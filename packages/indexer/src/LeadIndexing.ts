import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { INDEXER_LEASE, type IndexSource } from "@launch-registry/domain/system/LeaderReport"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Clock, Effect, Schedule, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Reconciler } from "./finality/Reconciler.ts"
import { followWebhook } from "./pools/FollowWebhook.ts"
import { WebhookRegistration } from "./helius/WebhookRegistration.ts"
import { AnotherChain, assertSameChain, type ChainIdentity, identityStatements } from "./identity/ChainIdentity.ts"
import { type HistoryOptions, keepHistory } from "./history/KeepHistory.ts"
import { IngestLog } from "./inbox/IngestLog.ts"
import { Indexer } from "./Indexer.ts"
import { leaderJobs } from "./jobs/LeaderJobs.ts"
import { FOLLOWED_AT_ONCE, followedPools } from "./pools/FollowedPools.ts"
import { PoolReconciler } from "./finality/PoolReconciler.ts"
import { beginDue } from "./replay/BeginRebuild.ts"
import { isLimited, type RetentionOptions, sweepInbox } from "./retention/Retention.ts"
import { changeStatements } from "./sink/EmittedChanges.ts"
import { ROLL_MILLIS, tradingWindowStatements } from "./sink/TradingWindows.ts"
import { followerWith } from "./sources/Follower.ts"
import { completeTransactions } from "./finality/CompleteTransactions.ts"
import { whileLeading } from "./leader/Leader.ts"
import { leaderReports, NOTHING_FOUND } from "./LeaderReports.ts"
import { type Fence, LeaseLost, leaseStatements } from "./leader/Lease.ts"
import { reportStatements } from "./leader/ReportStatements.ts"

export interface LeadIndexingOptions {
  /** Names this process in the lease. */
  readonly holder: string
  readonly source: IndexSource
  /** The network that is followed, as it is stored with the index. */
  readonly network: string
  /** Its genesis hash, where it is known without asking. */
  readonly genesisHash?: string | undefined
  /** Where proving begins; by default after the finalized slot when the chain is first seen. */
  readonly originSlot?: bigint | undefined
  readonly leaseMillis?: number
  readonly reconcileMillis?: number
  readonly pollMillis?: number
  /** How often migrated pools are looked for. */
  readonly followMillis?: number
  /** How often what was not received as a whole is asked for. */
  readonly completeMillis?: number
  /** Requests that a round may take to prove migrated pools. */
  readonly poolRequests?: number
  /** How long what was received is kept; by default for ever. */
  readonly retention?: RetentionOptions
  readonly retentionMillis?: number
  /** How proven trades are sent to ClickHouse, where it is. */
  readonly history?: Omit<HistoryOptions, "tradesDays">
  /** How often jobs of operators are looked for. */
  readonly lookMillis?: number
  /** Until a failed backfill or rebuild is tried again. */
  readonly retryMillis?: number
}

const LEASE_MILLIS = 5_000
const RECONCILE_MILLIS = 60_000
/** Polling has less to compare, and serves local chains, whose users want to see finality soon. */
const RECONCILE_POLLED_MILLIS = 10_000
const POLL_MILLIS = 1_000
const FOLLOW_MILLIS = 5_000
const COMPLETE_MILLIS = 5_000
const POOL_REQUESTS = 100
/** With webhooks, comparing pools finds what was not delivered: rare, and every comparison costs. */
const ROUNDS_PER_PROOF = 5
const PRUNE_MILLIS = 60_000
const RETENTION_MILLIS = 600_000
const LOOK_MILLIS = 5_000
const RETRY_MILLIS = 30_000
/** Followers that were disconnected for longer than this start over from the tables. */
const CHANGES_KEPT_MILLIS = 24 * 3_600_000

/** How often the genesis hash is asked for while it is unknown or another chain's. */
const IDENTIFY_MILLIS = 1_000

/** No node is that many slots behind: the origin came from a node with a made-up slot. */
const ORIGIN_AHEAD_MAX = 1_000_000n

/**
 * What exactly one process does, the holder of the lease: folds the log, compares it with the chain, keeps the webhook registered, and derives
 * tables again beside that. When it dies, another one takes over within the TTL of the lease.
 */
export const leadIndexing = Effect.fn("leadIndexing")(function* (options: LeadIndexingOptions) {
  const sql = yield* SqlClient
  const rpc = yield* Rpc
  const indexer = yield* Indexer
  const reconciler = yield* Reconciler
  const poolReconciler = yield* PoolReconciler
  const registration = yield* Effect.serviceOption(WebhookRegistration)
  const lease = leaseStatements(sql)
  const identity = identityStatements(sql)
  const reports = reportStatements(sql)
  const windows = tradingWindowStatements(sql)
  const changes = changeStatements(sql)
  const { retention = {}, retentionMillis = RETENTION_MILLIS } = options
  const isPolling = options.source === "poll"
  const context = yield* Effect.context<IngestLog | SqlClient>()
  const followed = followedPools(sql)
  const jobs = yield* leaderJobs({
    lookMillis: options.lookMillis ?? LOOK_MILLIS,
    retryMillis: options.retryMillis ?? RETRY_MILLIS,
  })
  const poll = isPolling ? yield* followerWith({ pools: followed.toFollow(FOLLOWED_AT_ONCE) }) : Effect.succeed(0)

  const everyMillis = options.reconcileMillis ?? (isPolling ? RECONCILE_POLLED_MILLIS : RECONCILE_MILLIS)

  const { report, reportPools, reportProblem, tellRebuild } = leaderReports(
    sql,
    { source: options.source, reconcileSeconds: everyMillis / 1000 },
    rpc.slotMillis,
  )

  const askGenesis = rpc.call((kit) => kit.getGenesisHash())

  /** The index is of the first chain it sees. Nothing is folded, fetched or proven of another one. */
  const identify = Effect.fnUntraced(function* (fence: Fence) {
    const genesisHash = options.genesisHash ?? (yield* askGenesis)
    const known = yield* Effect.gen(function* () {
      yield* lease.hold(fence)
      return yield* identity.keep({ genesisHash, network: options.network })
    }).pipe(sql.withTransaction)
    yield* assertSameChain(known, genesisHash)
    const problem = options.source === "off" ? { problem: null } : {}
    yield* report(fence, { cluster: genesisHash, ...problem })
    return known
  })

  const identified = (fence: Fence) => {
    let said: string | undefined
    return Effect.retry(
      Effect.tapError(identify(fence), (error) =>
        Effect.gen(function* () {
          if (isLost(error)) return
          if (said !== error.message) yield* Effect.logWarning(error.message)
          said = error.message
          yield* reportProblem(fence, error)
        }),
      ),
      { schedule: Schedule.spaced(IDENTIFY_MILLIS), while: (error) => !isLost(error) && error._tag !== "SqlError" },
    )
  }

  /** An endpoint may be of another chain from one moment to the next, as after a reset localnet. */
  const assertOurs = (chain: ChainIdentity) =>
    Effect.flatMap(askGenesis, (genesisHash) => assertSameChain(chain, genesisHash))

  /** Where proving begins: where this chain was first seen. */
  const begin = Effect.fnUntraced(function* (fence: Fence) {
    const known = yield* reports.leader
    if (known !== undefined && known.originSlot !== null) return BigInt(known.originSlot)
    const finalizedSlot: bigint = yield* rpc.call((kit) => kit.getSlot({ commitment: "finalized" }))
    const originSlot = options.originSlot ?? finalizedSlot + 1n
    // Stored before anything is proven: an origin lost in a crash would come back higher and hide what lies between.
    yield* report(fence, { originSlot: String(originSlot), finalizedSlot: String(finalizedSlot), ...NOTHING_FOUND })
    return originSlot
  })

  /** One at a time: rounds, and turns of a backfill or repair. */
  const proving = yield* Semaphore.make(1)
  const provingPools = yield* Semaphore.make(1)

  const reconcile = (fence: Fence, chain: ChainIdentity) => {
    const round = Effect.gen(function* () {
      yield* assertOurs(chain)
      const originSlot = yield* begin(fence)
      const { dropped, finalizedSlot, missing, problem } = yield* reconciler.round(originSlot, fence)
      const found = { finalizedSlot: String(finalizedSlot), missing, dropped, problem }
      const isMadeUp = options.originSlot === undefined && originSlot > finalizedSlot + ORIGIN_AHEAD_MAX
      yield* report(fence, isMadeUp ? { ...found, originSlot: null } : found)
      if (isMadeUp)
        yield* Effect.logWarning(
          `The origin, slot ${originSlot}, is far above the finalized slot ${finalizedSlot}: starting over`,
        )
    })
    const reported = Effect.tapError(proving.withPermits(1)(round), (error) =>
      isLost(error) ? Effect.void : reportProblem(fence, error),
    )
    return regularly("Comparing with the chain", everyMillis, reported, isFinal)
  }

  const pace = {
    activeMillis: isPolling ? everyMillis : everyMillis * ROUNDS_PER_PROOF,
    requestsMax: options.poolRequests ?? POOL_REQUESTS,
  }

  const reconcilePools = (fence: Fence, chain: ChainIdentity) => {
    /** Why a pool is not proven: said until all are, also by rounds in which it has no turn. */
    let unproven: string | null = null
    const round = Effect.gen(function* () {
      yield* assertOurs(chain)
      const slotMillis = yield* rpc.slotMillis
      const { proven: _, ...found } = yield* poolReconciler.round(fence, { ...pace, slotMillis })
      if (found.problem !== null) yield* Effect.logWarning(`A migrated pool is not proven: ${found.problem}`)
      unproven = found.problem ?? (found.failing > 0 ? unproven : null)
      yield* reportPools(fence, { ...found, problem: unproven })
    })
    const failed = (error: { readonly message: string }) =>
      Effect.gen(function* () {
        const count = yield* followed.count(new Date(yield* Clock.currentTimeMillis))
        yield* reportPools(fence, { ...count, missing: 0, dropped: 0, requests: 0, problem: error.message })
      })
    const reported = Effect.tapError(provingPools.withPermits(1)(round), (error) =>
      isLost(error) ? Effect.void : failed(error),
    )
    return regularly("Comparing migrated pools with the chain", everyMillis, reported, isFinal)
  }

  /** Pools that curves have migrated to since; the webhook names them as well. */
  const followPools = Effect.fnUntraced(function* (fence: Fence) {
    const keepWebhook = yield* followWebhook(registration)
    const work = Effect.andThen(followed.follow(fence), keepWebhook)
    return yield* regularly("Following migrated pools", options.followMillis ?? FOLLOW_MILLIS, work, isLost)
  })

  const prune = Effect.flatMap(Clock.currentTimeMillis, (now) => changes.prune(new Date(now - CHANGES_KEPT_MILLIS)))

  const sweep = (fence: Fence) => Effect.provide(sweepInbox(retention, fence), context)

  const pollOurs = (chain: ChainIdentity) => Effect.provide(Effect.andThen(assertOurs(chain), poll), context)

  const complete = yield* completeTransactions

  const completing = (fence: Fence, chain: ChainIdentity) => {
    const completed = Effect.provide(complete(fence, assertOurs(chain)), context)
    return regularly("Completing transactions", options.completeMillis ?? COMPLETE_MILLIS, completed, isFinal)
  }

  const backfills = (fence: Fence, chain: ChainIdentity) =>
    jobs.backfills(fence, (turn) =>
      proving.withPermits(1)(provingPools.withPermits(1)(Effect.andThen(assertOurs(chain), turn))),
    )

  const follow = (fence: Fence, chain: ChainIdentity) =>
    Effect.all(
      [
        indexer.follow(fence),
        ...(options.source === "off"
          ? []
          : [reconcile(fence, chain), reconcilePools(fence, chain), completing(fence, chain)]),
        ...(isPolling
          ? [regularly("Polling the chain", options.pollMillis ?? POLL_MILLIS, pollOurs(chain), isFinal)]
          : []),
        followPools(fence),
        regularly("Counting trades of the last days", ROLL_MILLIS, windows.refresh()),
        regularly("Pruning old changes", PRUNE_MILLIS, prune),
        keepHistory({ ...options.history, tradesDays: retention.tradesDays }, fence),
        ...(isLimited(retention)
          ? [regularly("Deleting what is kept no longer", retentionMillis, sweep(fence), isLost)]
          : []),
      ],
      { concurrency: "unbounded", discard: true },
    )

  const workOn = Effect.fnUntraced(function* (fence: Fence, chain: ChainIdentity) {
    yield* beginDue(fence, yield* jobs.isReplayNext)
    yield* Effect.all([follow(fence, chain), backfills(fence, chain), jobs.replays(fence, tellRebuild(fence))], {
      concurrency: "unbounded",
      discard: true,
    })
  })

  const work = (fence: Fence) =>
    Effect.flatMap(identified(fence), (chain) => workOn(fence, chain)).pipe(Effect.provide(context))

  return yield* whileLeading(
    { name: INDEXER_LEASE, holder: options.holder, ttlMillis: options.leaseMillis ?? LEASE_MILLIS },
    work,
  )
})

/** The lease went to another process: everything of this term ends. */
const isLost = (error: unknown): boolean => error instanceof LeaseLost

/** The same, or the endpoints are of another chain. */
const isFinal = (error: unknown): boolean => isLost(error) || error instanceof AnotherChain
