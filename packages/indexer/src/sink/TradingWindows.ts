import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { inOneMoment, rollingWindows } from "@launch-registry/postgres/RollingWindows"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Fence } from "../leader/Lease.ts"
import { MODULE_HASH } from "../modules/ModuleHash.ts"

/** How often the windows are moved on. */
export const ROLL_MILLIS = 5_000

/** Windows never move back. A clock that is this far behind its earlier self was wrong then. */
const CLOCK_BACK_MILLIS = 60_000

/** What is counted, and what could be. */
interface Progress {
  readonly countedAt: Date | null
  readonly logOffset: bigint
  readonly token: bigint
  /** Of the leader before the one that counts now; null if that is unknown. */
  readonly previousToken: bigint | null
  readonly tradesTable: bigint
  readonly now: Date
  readonly headOffset: bigint
  readonly currentTable: bigint
}

export type Rolled = "rolled" | "recounted" | "skipped"

/**
 * SQL of `trading_windows`: distinct traders, trades and volume of each token in spans up to now. New trades are those
 * of transactions that were received after the counted offset of the log, so the sink writes nothing for them; reverted
 * ones are in `trading_reverts`. All that is read is of one moment, in which trades and cursor agree.
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
      reverted as (
        delete from trading_reverts returning log_offset, base_mint, trader, block_time, quote_amount
      ), changes as materialized (
        select 1 as sign, t.base_mint, t.trader, t.block_time as at, t.quote_amount as volume
        from inbox_transactions i cross join lateral (
          select base_mint, trader, block_time, quote_amount from trades
          where ordinal >= i.slot << 32 and ordinal < (i.slot + 1) << 32 and signature = i.signature offset 0
        ) t
        where i.log_offset > ${logOffset} and i.log_offset <= ${headOffset}
        union all
        select -1, base_mint, trader, block_time, quote_amount from reverted where log_offset <= ${logOffset}
      )`,
    lastOfLost: sql`
      select t.base_mint, t.trader, max(t.block_time) as at
      from (select distinct base_mint from lost) mints
      cross join lateral (
        select base_mint, trader, block_time from trades
        where base_mint = mints.base_mint and block_time > (select later from longest) offset 0
      ) t join lost l on l.base_mint = t.base_mint and l.trader = t.trader group by t.base_mint, t.trader`,
  })

  /**
   * Whether the counts are those of the tables at the counted offset. Not after a replay or a restore, whose table of
   * trades is another one, nor after a leader that left no trace here: a version that does not note reverts.
   */
  const isTrusted = (known: Progress, { token }: Fence): boolean =>
    known.tradesTable === known.currentTable &&
    known.headOffset >= known.logOffset &&
    (known.token === token || known.token === known.previousToken)

  return {
    /** The next refresh recounts. */
    startOver: sql`update trading_progress set counted_at = null`,

    /** Moves all windows on to now, or recounts them. */
    refresh: (fence: Fence, at?: Date) =>
      Effect.gen(function* () {
        const now = at ?? null
        const [known] = yield* sql<Progress>`
          select counted_at, log_offset, token,
            (select previous_token from leases where name = ${fence.name} and token = ${fence.token}) as previous_token,
            trades_table, date_trunc('second', coalesce(${now}::timestamptz, now())) as now,
            coalesce((select log_offset from cursors where id = ${MODULE_HASH}), 0) as head_offset,
            'public.trades'::regclass::oid::bigint as current_table
          from trading_progress for update`
        // Another leader already counted.
        if (known === undefined || known.token > fence.token) return "skipped" as const
        const from = known.countedAt
        const millis = known.now.getTime() - (from?.getTime() ?? 0)
        const rolls = from !== null && isTrusted(known, fence) && millis >= -CLOCK_BACK_MILLIS
        const to = rolls && millis < 0 ? from : known.now
        if (rolls) {
          yield* roll(from, to, changes(known))
        } else {
          yield* sql`delete from trading_reverts`
          yield* recount(to)
        }
        yield* sql`
          update trading_progress set counted_at = ${to}, log_offset = ${known.headOffset}, token = ${fence.token},
            trades_table = ${known.currentTable}`
        return rolls ? ("rolled" as const) : ("recounted" as const)
      }).pipe(
        inOneMoment(sql),
        Effect.map((rolled): Rolled => rolled ?? "skipped"),
      ),
  }
}
