import { PgClient } from "@effect/sql-pg/PgClient"
import { regularly } from "@launch-registry/domain/time/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { askStatuses } from "../transactions/AskStatuses.ts"
import { chainStatuses } from "../transactions/ChainStatuses.ts"
import { deployRecords } from "../transactions/DeployRecords.ts"
import { chainTokens } from "./ChainTokens.ts"

const FOLLOW_MILLIS = 250
const ASK_MILLIS = 1_000
const COMMITS_MAX = 100
const BYTES_MAX = 1_000_000

interface CommitRow {
  readonly id: bigint
  readonly changes: string
}

/**
 * Applies what the indexer saw to the registry, commit by commit, each exactly once: the progress is written with the changes.
 * Any number of replicas may run it; one of them finds the progress unlocked.
 */
export const followIndex = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { json } = yield* PgClient
  const tokens = chainTokens(sql, json)
  const deploys = deployRecords(sql)
  const statuses = chainStatuses(sql)

  /** Whether there may be more. */
  return Effect.gen(function* () {
    const [progress] = yield* sql<{ readonly changeId: bigint; readonly mustStartOver: boolean }>`
      select change_id, must_start_over from registry_progress for update skip locked`
    if (progress === undefined) return false
    const commits = yield* sql<CommitRow>`
      select id, changes from (
        select id, changes, sum(octet_length(changes)) over (order by id) - octet_length(changes) as bytes_before
        from (select id, changes from index_changes where id > ${progress.changeId} order by id limit ${COMMITS_MAX}) next
      ) sized where bytes_before < ${BYTES_MAX}::integer order by id`
    if (commits.length === 0 && !progress.mustStartOver) return false
    const changes = commits.flatMap((commit) => JSON.parse(commit.changes) as ReadonlyArray<ChainChange>)
    // What was forgotten before it was applied is in the tables all the same; so is what a replay derived anew.
    const isGap = commits.some(({ id }, index) => id !== progress.changeId + BigInt(index) + 1n)
    if (isGap || progress.mustStartOver) {
      yield* tokens.followAll
      yield* deploys.followAll
    }
    yield* tokens.follow(changes)
    yield* deploys.follow(changes)
    yield* statuses.follow(changes)
    yield* sql`
      update registry_progress set change_id = ${commits.at(-1)?.id ?? progress.changeId}, must_start_over = false`
    return true
  }).pipe(sql.withTransaction)
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
