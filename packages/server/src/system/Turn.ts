import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Takes a turn of a work of `server_progress`, unless a process is at it or took one so many seconds ago. One that is far ahead was taken by
 * a clock that was wrong.
 */
export const takeTurn = (sql: SqlClient, name: string, seconds: number) =>
  Effect.map(
    sql`
      update server_progress set done_at = now() where name = (
        select name from server_progress where name = ${name}
          and done_at not between now() - make_interval(secs => ${seconds}::float8) and now() + interval '1 minute'
        for update skip locked
      ) returning name`,
    ({ length }) => length > 0,
  )
