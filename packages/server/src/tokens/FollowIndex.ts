import { PgClient } from "@effect/sql-pg/PgClient"
import { decodeChanges, isReadable, UnreadableChange } from "@launch-registry/domain/stream/CommittedChanges"
import { CommitNotices } from "@launch-registry/postgres/CommitNotices"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { LearnCurves } from "../markets/LearnCurves.ts"
import { listings } from "../markets/Listings.ts"
import { tokenSkeletons } from "../trust/TokenSkeletons.ts"
import { reportUnreadable } from "./UnreadableReport.ts"
import { POLL_MILLIS, pollStatuses } from "../transactions/PollStatuses.ts"
import { chainStatuses } from "../transactions/ChainStatuses.ts"
import { deployRecords } from "../transactions/DeployRecords.ts"
import { ChainLabels } from "./ChainLabels.ts"
import { chainTokens } from "./ChainTokens.ts"

/** Shortest pause between two transactions: what comes meanwhile shares the next one. */
const FOLLOW_MILLIS = 250
const COMPARE_MILLIS = 5_000
const COMMITS_MAX = 100
const BYTES_MAX = 1_000_000

/**
 * Minimum interval between rebuilds because of unreadable commits, across processes: each takes minutes for a large
 * registry.
 */
const START_OVER_MILLIS = 600_000

interface ProgressRow {
  readonly changeId: bigint
  /** Whether the tables may differ from the changes, as after a replay. */
  readonly mustStartOver: boolean
  /** The last commit that was not fully readable, for this or a later version; null once a version has read it. */
  readonly unreadId: bigint | null
  /** The last commit before the latest rebuild. */
  readonly startedOverId: bigint | null
  readonly startedOverAt: Date | null
}

interface CommitRow {
  readonly id: bigint
  readonly changes: string
}

/** With the id of the commit before it, and how many were looked at. */
interface NextCommitRow extends CommitRow {
  readonly after: bigint
  readonly found: number
}

/** A commit, split into readable and unreadable changes. */
const readCommit = ({ changes: text, id }: CommitRow) => {
  const changes = decodeChanges(text)
  return {
    id,
    changes: changes.filter(isReadable),
    unreadable: changes.filter((change) => change instanceof UnreadableChange),
  }
}

/**
 * Applies the indexer's commits to the registry, each exactly once: the progress is written in the same transaction.
 * Any number of replicas may run it; the progress row is a lock.
 *
 * Changes that this version cannot read, such as those of a later version during a rolling deploy, are skipped, and the
 * registry is rebuilt from the tables instead, at most every ten minutes because every commit may have such changes.
 * The last such commit is remembered until a version can read it, which then rebuilds as well: only that version knows
 * all consequences.
 */
export const followIndex = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { json } = yield* PgClient
  const tokens = chainTokens(sql, json)
  const deploys = deployRecords(sql)
  const statuses = chainStatuses(sql)
  const listed = listings(sql)
  const skeletons = tokenSkeletons(sql)
  const report = reportUnreadable("The registry")
  /** The last commit that this version cannot read. */
  let cannotRead: bigint | undefined

  /** Whether this version can read a skipped commit. A pruned one counts as readable. */
  const canRead = (id: bigint) =>
    Effect.map(sql<CommitRow>`select id, changes from index_changes where id = ${id}`, (rows) => {
      const canReadAll = rows.every((row) => readCommit(row).unreadable.length === 0)
      if (!canReadAll) cannotRead = id
      return canReadAll
    })

  const apply = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [progress] = yield* sql<ProgressRow>`
      select change_id, must_start_over, unread_id, started_over_id, started_over_at
      from server_progress where name = 'registry' for update skip locked`
    if (progress === undefined) return undefined
    const rows = yield* sql<NextCommitRow>`
      select id, coalesce(after_id, id - 1) as after, changes, found from (
        select *, sum(octet_length(changes)) over (order by id) - octet_length(changes) as bytes_before,
          count(*) over ()::integer as found
        from (select * from index_changes where id > ${progress.changeId} order by id limit ${COMMITS_MAX}) next
      ) sized where bytes_before < ${BYTES_MAX}::integer order by id`
    const commits = rows.map(readCommit)
    const lastId = commits.at(-1)?.id ?? progress.changeId
    const newUnreadId = commits.findLast(({ unreadable }) => unreadable.length > 0)?.id
    const unreadId = newUnreadId ?? progress.unreadId
    // A gap means pruned commits, or a replay: the tables have their effects.
    const isGap = rows.some(({ after }, index) => after !== (rows[index - 1]?.id ?? progress.changeId))
    const isOwed = unreadId !== null && unreadId > (progress.startedOverId ?? -1n)
    const isBackoffOver = now - (progress.startedOverAt?.getTime() ?? Number.NEGATIVE_INFINITY) >= START_OVER_MILLIS
    const canReadNow =
      isBackoffOver &&
      progress.unreadId !== null &&
      progress.unreadId !== cannotRead &&
      (yield* canRead(progress.unreadId))
    const startsOver = isGap || progress.mustStartOver || (isBackoffOver && (isOwed || canReadNow))
    if (commits.length === 0 && !startsOver) return undefined
    if (startsOver) {
      yield* tokens.followAll
      yield* deploys.followAll
      yield* listed.startOver
      yield* skeletons.startOver
    }
    const changes = commits.flatMap((commit) => commit.changes)
    yield* tokens.follow(changes)
    yield* deploys.follow(changes)
    yield* statuses.follow(changes)
    yield* listed.follow(changes)
    yield* skeletons.follow(changes)
    const startedOver = startsOver ? { startedOverId: lastId, startedOverAt: new Date(now) } : {}
    yield* sql`
      update server_progress set ${sql.update({
        ...{ changeId: lastId, mustStartOver: false, ...startedOver },
        unreadId: canReadNow ? (newUnreadId ?? null) : unreadId,
      })} where name = 'registry'`
    return { commits, isMore: rows.length === COMMITS_MAX || rows.length < (rows[0]?.found ?? 0) }
  }).pipe(sql.withTransaction)

  /** Applies one batch; returns whether there may be more. */
  return Effect.gen(function* () {
    const applied = yield* apply
    if (applied === undefined) return false
    yield* report(applied.commits)
    return applied.isMore
  })
})

/** Compares launches with their listings: all of them at once after the registry started over, then a few at a time. */
const compareListings = Effect.gen(function* () {
  const { step, unknownConfigs } = listings(yield* SqlClient)
  const curves = yield* LearnCurves
  const compare = Effect.tap(step, ({ unknown }) => curves.learn(unknown))
  return Effect.andThen(
    Effect.flatMap(unknownConfigs, curves.learn),
    Effect.repeat(compare, { until: ({ isListed }) => isListed }),
  )
})

/** Compares names with what they are compared by, in the same way, and sizes of the tokens that are traded most. */
const compareSkeletons = Effect.gen(function* () {
  const { resize, step } = tokenSkeletons(yield* SqlClient)
  return Effect.andThen(Effect.repeat(step, { until: (isCompared) => isCompared }), resize)
})

/** Follows the index for the lifetime of the process. */
export const FollowIndexLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const step = yield* followIndex
    const poll = yield* pollStatuses
    const compare = yield* compareListings
    const skeletons = yield* compareSkeletons
    const labels = yield* ChainLabels
    const catchUp = Effect.repeat(step, { while: (more) => more })
    const changed = (yield* CommitNotices).follow("changes", FOLLOW_MILLIS)
    yield* Effect.forkScoped(regularly("Following the index", FOLLOW_MILLIS, Effect.andThen(changed, catchUp)))
    yield* Effect.forkScoped(regularly("Polling transaction statuses", POLL_MILLIS, poll))
    yield* Effect.forkScoped(regularly("Comparing launches with their listings", COMPARE_MILLIS, compare))
    yield* Effect.forkScoped(regularly("Comparing names with what they are compared by", COMPARE_MILLIS, skeletons))
    yield* Effect.forkScoped(regularly("Reading what launched tokens are called", COMPARE_MILLIS, labels.compare))
  }),
).pipe(Layer.provide([LearnCurves.layer, ChainLabels.layer]))
