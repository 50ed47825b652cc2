import { PgClient } from "@effect/sql-pg/PgClient"
import { decodeChanges, isRead, UnreadChange } from "@launch-registry/domain/stream/CommittedChanges"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unreadReport } from "../stream/UnreadReport.ts"
import { askStatuses } from "../transactions/AskStatuses.ts"
import { chainStatuses } from "../transactions/ChainStatuses.ts"
import { deployRecords } from "../transactions/DeployRecords.ts"
import { chainTokens } from "./ChainTokens.ts"

const FOLLOW_MILLIS = 250
const ASK_MILLIS = 1_000
const COMMITS_MAX = 100
const BYTES_MAX = 1_000_000

/** Between two starts over for what could not be read, whichever process makes them: of a large registry each takes minutes. */
const START_OVER_MILLIS = 600_000

interface ProgressRow {
  readonly changeId: bigint
  /** Whether the tables may say what no change has said. */
  readonly mustStartOver: boolean
  /** The last commit that was not read whole, by this version or a later one; null when a version has read it since. */
  readonly unreadId: bigint | null
  /** The last commit that was there when the registry last started over. */
  readonly startedOverId: bigint | null
  readonly startedOverAt: Date | null
}

interface CommitRow {
  readonly id: bigint
  readonly changes: string
}

/** A commit with what could be read of it. */
const readCommit = ({ changes: text, id }: CommitRow) => {
  const changes = decodeChanges(text)
  return { id, changes: changes.filter(isRead), unread: changes.filter((change) => change instanceof UnreadChange) }
}

/**
 * Applies what the indexer saw to the registry, commit by commit, each exactly once: the progress is written with the changes.
 * Any number of replicas may run it; one of them finds the progress unlocked.
 *
 * What this version cannot read, as from a later one during a rolling deploy, it passes over, and starts over from the tables instead;
 * every ten minutes at most, because all commits of that time may be like that. The last such commit is remembered until a version
 * can read it, which then starts over as well: only that one knows all that follows from it.
 */
export const followIndex = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { json } = yield* PgClient
  const tokens = chainTokens(sql, json)
  const deploys = deployRecords(sql)
  const statuses = chainStatuses(sql)
  const reportUnread = unreadReport("The registry and its records")
  /** The last commit that this version is known not to read. */
  let cannotRead: bigint | undefined

  /** Whether this version can read a commit that was passed over. One that was forgotten meanwhile is not waited for. */
  const canRead = (id: bigint) =>
    Effect.map(sql<CommitRow>`select id, changes from index_changes where id = ${id}`, (rows) => {
      const isReadable = rows.every((row) => readCommit(row).unread.length === 0)
      if (!isReadable) cannotRead = id
      return isReadable
    })

  const apply = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [progress] = yield* sql<ProgressRow>`
      select change_id, must_start_over, unread_id, started_over_id, started_over_at
      from registry_progress for update skip locked`
    if (progress === undefined) return undefined
    const rows = yield* sql<CommitRow>`
      select id, changes from (
        select id, changes, sum(octet_length(changes)) over (order by id) - octet_length(changes) as bytes_before
        from (select id, changes from index_changes where id > ${progress.changeId} order by id limit ${COMMITS_MAX}) next
      ) sized where bytes_before < ${BYTES_MAX}::integer order by id`
    const commits = rows.map(readCommit)
    const lastId = commits.at(-1)?.id ?? progress.changeId
    const newUnreadId = commits.findLast(({ unread }) => unread.length > 0)?.id
    const unreadId = newUnreadId ?? progress.unreadId
    // What was forgotten before it was applied is in the tables all the same; so is what a replay derived anew.
    const isGap = commits.some(({ id }, index) => id !== progress.changeId + BigInt(index) + 1n)
    const isOwed = unreadId !== null && unreadId > (progress.startedOverId ?? -1n)
    const isRested = now - (progress.startedOverAt?.getTime() ?? Number.NEGATIVE_INFINITY) >= START_OVER_MILLIS
    const isReadable =
      isRested && progress.unreadId !== null && progress.unreadId !== cannotRead && (yield* canRead(progress.unreadId))
    const startsOver = isGap || progress.mustStartOver || (isRested && (isOwed || isReadable))
    if (commits.length === 0 && !startsOver) return undefined
    if (startsOver) {
      yield* tokens.followAll
      yield* deploys.followAll
    }
    const changes = commits.flatMap((commit) => commit.changes)
    yield* tokens.follow(changes)
    yield* deploys.follow(changes)
    yield* statuses.follow(changes)
    const startedOver = startsOver ? { startedOverId: lastId, startedOverAt: new Date(now) } : {}
    yield* sql`
      update registry_progress set ${sql.update({
        ...{ changeId: lastId, mustStartOver: false, ...startedOver },
        unreadId: isReadable ? (newUnreadId ?? null) : unreadId,
      })}`
    return commits
  }).pipe(sql.withTransaction)

  /** Whether there may be more. */
  return Effect.gen(function* () {
    const commits = yield* apply
    if (commits === undefined) return false
    yield* reportUnread(commits)
    return true
  })
})

/** Follows the index for as long as the process lives. */
export const FollowIndexLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const step = yield* followIndex
    const ask = yield* askStatuses
    const catchUp = Effect.repeat(step, { while: (more) => more })
    yield* Effect.forkScoped(regularly("Following the index", FOLLOW_MILLIS, catchUp))
    yield* Effect.forkScoped(regularly("Asking for the status of transactions", ASK_MILLIS, ask))
  }),
)
