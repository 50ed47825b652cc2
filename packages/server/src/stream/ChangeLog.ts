import { isReadable } from "@launch-registry/domain/stream/CommittedChanges"
import type { ChangeFigures } from "@launch-registry/domain/stream/ShownChange"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type ChangePosition, nextCommit } from "./ChangePosition.ts"
import { type Commit, commitOf, decodeCommit } from "./Commit.ts"

/** Commits in a page. */
const PAGE_COMMITS = 200
/** A page ends with the commit that reaches this size, where no other one is asked for. */
const PAGE_BYTES = 1_000_000

/** Commits by ascending ids, and the bounds of what is stored (0 if nothing). */
export interface ChangePage {
  readonly first: number
  readonly last: number
  readonly commits: ReadonlyArray<Commit>
}

interface PageRow {
  readonly first: bigint
  readonly last: bigint
  readonly id: bigint | null
  readonly after: bigint | null
  readonly changes: string | null
}

/**
 * Reads the first commits after a position, with the figures of their trades. PostgreSQL sums up their sizes: one commit can have
 * thousands of changes.
 */
export const changeLog =
  (sql: SqlClient, figures: ChangeFigures["Service"]) =>
  (position: ChangePosition, pageBytes = PAGE_BYTES): Effect.Effect<ChangePage, SqlError> =>
    Effect.gen(function* () {
      const rows = yield* sql<PageRow>`
        select kept.first, kept.last, page.id, page.after, page.changes
        from (select coalesce(min(id), 0) as first, coalesce(max(id), 0) as last from index_changes) kept
        left join lateral (
          select id, after, changes from (
            select id, after, changes, sum(octet_length(changes)) over (order by id) - octet_length(changes) as bytes_before
            from (
              select id, coalesce(after_id, id - 1) as after, changes from index_changes
              where id >= ${nextCommit(position)} order by id limit ${PAGE_COMMITS}
            ) next_commits
          ) sized
          where bytes_before < ${pageBytes}
        ) page on true
        order by page.id`
      const decoded = rows.flatMap(({ after, changes, id }) =>
        id === null || changes === null ? [] : [decodeCommit(Number(id), changes, Number(after))],
      )
      const show = yield* figures.read(decoded.flatMap(({ changes }) => changes.filter(isReadable)))
      return {
        first: Number(rows[0]!.first),
        last: Number(rows[0]!.last),
        commits: decoded.map((commit) => commitOf(commit, show)),
      }
    })

export type ReadChanges = ReturnType<typeof changeLog>
