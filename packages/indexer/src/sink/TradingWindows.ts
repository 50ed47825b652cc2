import type { ReportName } from "@launch-registry/domain/system/LeaderReport"
import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { inOneMoment, rollingWindows } from "@launch-registry/postgres/RollingWindows"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** How often the windows are moved on. */
export const ROLL_MILLIS = 5_000

/** Of the report that says how far trades are counted. */
const NAME: ReportName = "windows"

/** Windows never move back. A clock that is this far behind its earlier self was wrong then. */
const CLOCK_BACK_MILLIS = 60_000

/** What is counted, and what could be. */
interface Progress {
  /** Null where the windows are to be counted anew. */
  readonly countedAt: Date | null
  readonly logOffset: bigint | null
  readonly now: Date
  readonly headOffset: bigint
}

export type Rolled = "rolled" | "recounted" | "skipped"

/**
 * SQL of `trading_windows`: distinct traders, trades and volume (of all trades, and of buys) of each token in spans up to now. New trades are those of transactions
 * that were received after the counted offset of the log, so the sink writes nothing for them. Reverts are rare: after one, all is counted
 * again. What is read is of one moment, in which trades and cursor agree; a refresh during which somebody starts over changes nothing.
 */
export const tradingWindowStatements = (sql: SqlClient) => {
  const BOUGHT = sql`case side when 'BUY' then quote_amount else 0 end as bought`
  const facts = (after: Fragment, upTo?: Fragment) => sql`
    select base_mint, trader, block_time as at, quote_amount as volume, ${BOUGHT} from trades
    where block_time > ${after} ${upTo === undefined ? sql`` : sql`and block_time <= ${upTo}`}`
  const windows = { windows: "trading_windows", traders: "trading_traders", spans: WINDOW_LENGTHS, facts }
  const { recount, roll } = rollingWindows(sql, windows)

  const changes = ({ headOffset, logOffset }: Progress) => ({
    // Looked up slot by slot: in one join, the planner would read the whole table.
    changes: sql`
      changes as materialized (
        select 1 as sign, t.base_mint, t.trader, t.block_time as at, t.quote_amount as volume, t.bought
        from inbox_transactions i cross join lateral (
          select base_mint, trader, block_time, quote_amount, ${BOUGHT} from trades
          where ordinal >= i.slot << 32 and ordinal < (i.slot + 1) << 32 and signature = i.signature offset 0
        ) t
        where i.log_offset > ${logOffset} and i.log_offset <= ${headOffset}
      )`,
    lastOfLost: sql`select base_mint, trader, null::timestamptz as at from lost`,
  })

  /** What it says is there even before the first refresh, so that one that runs meanwhile meets it. */
  const note = (progress: { readonly countedAt?: string; readonly logOffset?: string }) => sql`
    insert into indexer_reports (name, report, reported_at) values (${NAME}, ${JSON.stringify(progress)}::text::jsonb, now())
    on conflict (name) do update set report = excluded.report, reported_at = excluded.reported_at`

  return {
    /** The next refresh recounts, and one that runs meanwhile fails. */
    startOver: note({}),

    /** Moves all windows on to now, or recounts them. */
    refresh: (at?: Date) =>
      Effect.gen(function* () {
        const now = at ?? null
        const [known] = yield* sql<Progress>`
          select (r.report ->> 'countedAt')::timestamptz as counted_at, (r.report ->> 'logOffset')::bigint as log_offset,
            date_trunc('second', coalesce(${now}::timestamptz, now())) as now, p.log_offset as head_offset
          from indexer_progress p left join indexer_reports r on r.name = ${NAME}`
        const from = known!.countedAt
        const millis = known!.now.getTime() - (from?.getTime() ?? 0)
        const rolls = from !== null && millis >= -CLOCK_BACK_MILLIS
        const to = rolls && millis < 0 ? from : known!.now
        yield* rolls ? roll(from, to, changes(known!)) : recount(to)
        yield* note({ countedAt: to.toISOString(), logOffset: String(known!.headOffset) })
        return rolls ? ("rolled" as const) : ("recounted" as const)
      }).pipe(
        inOneMoment(sql),
        Effect.map((rolled): Rolled => rolled ?? "skipped"),
      ),
  }
}
