import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { inOneMoment, rollingWindows } from "@launch-registry/postgres/RollingWindows"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { MODULE_HASH } from "../modules/ModuleHash.ts"

/** How often the windows are moved on. */
export const ROLL_MILLIS = 5_000

/** Windows never move back. A clock that is this far behind its earlier self was wrong then. */
const CLOCK_BACK_MILLIS = 60_000

/** What is counted, and what could be. */
interface Progress {
  /** Null where the windows are to be counted anew. */
  readonly countedAt: Date | null
  readonly logOffset: bigint
  readonly now: Date
  readonly headOffset: bigint
}

export type Rolled = "rolled" | "recounted" | "skipped"

/**
 * SQL of `trading_windows`: distinct traders, trades and volume of each token in spans up to now. New trades are those of transactions
 * that were received after the counted offset of the log, so the sink writes nothing for them. Reverts are rare: after one, all is counted
 * again. What is read is of one moment, in which trades and cursor agree; a refresh during which somebody starts over changes nothing.
 */
export const tradingWindowStatements = (sql: SqlClient) => {
  const facts = (after: Fragment, upTo?: Fragment) => sql`
    select base_mint, trader, block_time as at, quote_amount as volume from trades
    where block_time > ${after} ${upTo === undefined ? sql`` : sql`and block_time <= ${upTo}`}`
  const windows = { windows: "trading_windows", traders: "trading_traders", spans: WINDOW_LENGTHS, facts }
  const { recount, roll } = rollingWindows(sql, windows)

  const changes = ({ headOffset, logOffset }: Progress) => ({
    // Looked up slot by slot: in one join, the planner would read the whole table.
    changes: sql`
      changes as materialized (
        select 1 as sign, t.base_mint, t.trader, t.block_time as at, t.quote_amount as volume
        from inbox_transactions i cross join lateral (
          select base_mint, trader, block_time, quote_amount from trades
          where ordinal >= i.slot << 32 and ordinal < (i.slot + 1) << 32 and signature = i.signature offset 0
        ) t
        where i.log_offset > ${logOffset} and i.log_offset <= ${headOffset}
      )`,
    lastOfLost: sql`select base_mint, trader, null::timestamptz as at from lost`,
  })

  return {
    /** The next refresh recounts, and one that runs meanwhile fails. */
    startOver: sql`update trading_progress set counted_at = null`,

    /** Moves all windows on to now, or recounts them. */
    refresh: (at?: Date) =>
      Effect.gen(function* () {
        const now = at ?? null
        const [known] = yield* sql<Progress>`
          select counted_at, log_offset, date_trunc('second', coalesce(${now}::timestamptz, now())) as now,
            coalesce((select log_offset from cursors where id = ${MODULE_HASH}), 0) as head_offset
          from trading_progress`
        const from = known!.countedAt
        const millis = known!.now.getTime() - (from?.getTime() ?? 0)
        const rolls = from !== null && millis >= -CLOCK_BACK_MILLIS
        const to = rolls && millis < 0 ? from : known!.now
        yield* rolls ? roll(from, to, changes(known!)) : recount(to)
        yield* sql`update trading_progress set counted_at = ${to}, log_offset = ${known!.headOffset}`
        return rolls ? ("rolled" as const) : ("recounted" as const)
      }).pipe(
        inOneMoment(sql),
        Effect.map((rolled): Rolled => rolled ?? "skipped"),
      ),
  }
}
