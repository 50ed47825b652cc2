import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { decodeChanges, isReadable } from "@launch-registry/domain/stream/CommittedChanges"
import { ChangeFigures } from "@launch-registry/domain/stream/ShownChange"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { NotificationOptions } from "./NotificationOptions.ts"
import { fanOut, type NotifiedEvent } from "./FanOut.ts"

/** Commits in a transaction, which ends with the one that reaches the size. */
const COMMITS_MAX = 50
const BYTES_MAX = 250_000

interface CommitRow {
  readonly id: bigint
  /** Id of the commit before it. */
  readonly after: bigint
  readonly changes: string
  readonly committedAt: Date
}

/** Undefined for a revert, which has no single mint and concerns every reader. */
const mintOf = (change: ChainChange): string | null | undefined =>
  change.type === "revert" ? undefined : change.mintAddress

/** The block time, if there is one that can be read: what cannot be read must not stop what follows. */
const timeOf = (change: ChainChange, committedAt: Date): Date => {
  const at = new Date("time" in change ? change.time : Number.NaN)
  return Number.isNaN(at.getTime()) ? committedAt : at
}

/** The changes of a commit that this version can read. */
const changesOf = ({ changes }: CommitRow): ReadonlyArray<ChainChange> => decodeChanges(changes).filter(isReadable)

/**
 * Makes messages of the indexer's commits, each once: the cursor is written in the same transaction. Any number of replicas
 * may do so; the row of the cursor is a lock. Where commits are missing, endpoints get a `reset`, as subscribers of the
 * stream do.
 */
export const followChanges = Effect.fnUntraced(function* (options: NotificationOptions) {
  const sql = yield* SqlClient
  const { reset, send } = yield* fanOut(options)
  const figures = yield* ChangeFigures

  const eventsOf = Effect.fnUntraced(function* (commits: ReadonlyArray<CommitRow>) {
    const read = commits.map((commit) => ({ commit, changes: changesOf(commit) }))
    const show = yield* figures.read(read.flatMap(({ changes }) => changes))
    return read.flatMap(({ changes, commit: { committedAt, id } }) =>
      changes.map((change): NotifiedEvent => ({
        type: change.type,
        at: timeOf(change, committedAt),
        data: () => show(change),
        mint: mintOf(change),
        commit: id,
      })),
    )
  })

  const followSome = Effect.gen(function* () {
    const [progress] = yield* sql<{ readonly changeId: bigint | null }>`
      select change_id from server_progress where name = 'notifications' for update skip locked`
    if (progress === undefined) return false
    const [kept] = yield* sql<{ readonly last: bigint }>`select coalesce(max(id), 0) as last from index_changes`
    const { last } = kept!
    const { changeId: cursor } = progress
    if (cursor === last) return false
    const moveTo = (id: bigint) => sql`update server_progress set change_id = ${id} where name = 'notifications'`
    if (cursor === null) {
      yield* moveTo(last)
      return false
    }
    if (last < cursor) {
      // Another history, as after a restore: what of it was sent before is not known.
      yield* Effect.logWarning(`The changes of the index end at ${last}, before ${cursor}: notifications start over`)
      yield* reset("unknown_id")
      yield* sql`update notification_endpoints set after_change = ${last} where after_change > ${last}`
      yield* moveTo(last)
      return false
    }
    if ((yield* sql`select from notification_endpoints where state = 'enabled' limit 1`).length === 0) {
      yield* moveTo(last)
      return false
    }
    const commits = yield* sql<CommitRow>`
      select id, coalesce(after_id, id - 1) as after, changes, committed_at from (
        select *, sum(octet_length(changes)) over (order by id) - octet_length(changes) as bytes_before
        from (
          select * from index_changes where id > ${cursor} order by id limit ${COMMITS_MAX}
        ) next
      ) sized where bytes_before < ${BYTES_MAX}::integer order by id`
    for (const [index, commit] of commits.entries()) {
      const before = commits[index - 1]?.id ?? cursor
      if (commit.after !== before) {
        yield* Effect.logWarning(`Changes of the index between ${before} and ${commit.id} were not sent`)
        yield* reset("older_than_kept")
      }
    }
    yield* send(yield* eventsOf(commits))
    yield* moveTo(commits.at(-1)?.id ?? last)
    return true
  }).pipe(sql.withTransaction)

  /** Returns whether there may be more. Without new commits it takes no lock: that would write to the WAL. */
  return Effect.gen(function* () {
    const [row] = yield* sql<{ readonly isNew: boolean }>`
      select change_id is distinct from (select coalesce(max(id), 0) from index_changes) as is_new
      from server_progress where name = 'notifications'`
    return row!.isNew && (yield* followSome)
  })
})
