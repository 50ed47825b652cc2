import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

/** Counts of several spans up to now, as tables, and the facts that they count. */
export interface RollingWindows {
  /** Table of the counts: `span, base_mint, traders, trades, quote_volume, buy_volume`. */
  readonly windows: string
  /** Table of who traded a token within the longest span, and when last: `base_mint, trader, last_at`. */
  readonly traders: string
  /** Spans by name, as PostgreSQL intervals. */
  readonly spans: Readonly<Record<string, string>>
  /** Facts that are there now, later than one time and up to another: `base_mint, trader, at, volume, bought`, of which `bought` is the volume of a buy, else 0. */
  readonly facts: (after: Fragment, upTo?: Fragment) => Fragment
}

/** Facts that came and went since the last time. */
export interface FactChanges {
  /** CTEs, the last of which is `changes`: `sign` (1 or -1) and the columns of facts. */
  readonly changes: Fragment
  /** When those of the CTE `lost` last traded, from the facts that are there now: `base_mint, trader, at`. */
  readonly lastOfLost: Fragment
}

const STATEMENT_TIMEOUT = "5min"
/** A week of the whole chain is tens of millions of trades. Nothing waits for a recount. */
const RECOUNT_TIMEOUT = "1h"
/** Longest pause between two statements: it ends the transaction of a process whose host is down. */
const SILENCE_MAX = "10s"
const WORK_MEM = "128MB"

/**
 * Runs `work` in a transaction that sees one moment of the database. Does nothing if another process did the same
 * meanwhile.
 */
export const inOneMoment =
  (sql: SqlClient) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* sql`set transaction isolation level repeatable read`
      yield* sql`
        select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true), set_config('work_mem', ${WORK_MEM}, true),
          set_config('idle_in_transaction_session_timeout', ${SILENCE_MAX}, true), set_config('jit', 'off', true)`
      return yield* work
    }).pipe(
      sql.withTransaction,
      Effect.catchIf(
        (error) => isSqlError(error) && error.reason._tag === "SerializationError",
        () => Effect.undefined,
      ),
    )

/** SQL that moves windows on, or recounts them; within {@link inOneMoment}. */
export const rollingWindows = (sql: SqlClient, { facts, spans, traders, windows }: RollingWindows) => {
  const [windowTable, traderTable] = [sql(windows), sql(traders)]
  const edges = (at: Date) => sql`
    select span, ${at}::timestamptz - length::interval as edge
    from unnest(${Object.keys(spans)}::text[], ${Object.values(spans)}::text[]) as s(span, length)`

  /**
   * Counts all facts of every span: who traded when last, of which the numbers of traders follow, then trades and volumes of all spans in
   * one pass. Counting distinct traders span by span sorts each of them.
   */
  const recount = (at: Date) =>
    Effect.gen(function* () {
      yield* sql`select set_config('statement_timeout', ${RECOUNT_TIMEOUT}, true)`
      yield* sql`delete from ${windowTable}`
      yield* sql`delete from ${traderTable}`
      const longest = facts(sql`(select min(edge) from (${edges(at)}) e)`)
      yield* sql`
        insert into ${traderTable} (base_mint, trader, last_at)
        select base_mint, trader, max(at) from (${longest}) f group by base_mint, trader`
      const ofEachSpan = (what: string, when: string) =>
        Object.values(spans)
          .map(
            (length) =>
              sql`${sql.literal(what)} filter (where ${sql.literal(when)} > ${at}::timestamptz - ${length}::interval)`,
          )
          .reduce((left, right) => sql`${left}, ${right}`)
      yield* sql`
        with counted as (
          select base_mint, array[${ofEachSpan("count(*)", "at")}] as trades, array[${ofEachSpan("sum(volume)", "at")}] as volumes,
            array[${ofEachSpan("sum(bought)", "at")}] as boughts
          from (${longest}) f group by base_mint
        ), traded as (
          select base_mint, array[${ofEachSpan("count(*)", "last_at")}] as traders from ${traderTable} group by base_mint
        )
        insert into ${windowTable} (span, base_mint, traders, trades, quote_volume, buy_volume)
        select s.span, base_mint, t.traders[s.nth], c.trades[s.nth], c.volumes[s.nth], c.boughts[s.nth]
        from counted c join traded t using (base_mint)
        cross join unnest(${Object.keys(spans)}::text[]) with ordinality s(span, nth)
        where c.trades[s.nth] > 0`
    })

  /**
   * Moves the counts from one time to a later one: adds what came and takes away what went, within the earlier edges,
   * then takes away what is now there between the earlier and the later edges. A trader counts as long as the last
   * trade does. So the work is in proportion to what changed. Rows are looked up one by one, because the planner would
   * read a table of a week as a whole.
   */
  const roll = (from: Date, to: Date, { changes, lastOfLost }: FactChanges) =>
    Effect.gen(function* () {
      yield* sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`
      yield* sql`
        with spans as materialized (
          select span, earlier.edge as earlier, later.edge as later
          from (${edges(from)}) earlier join (${edges(to)}) later using (span)
        ), longest as materialized (select min(earlier) as earlier, min(later) as later from spans),
        ${changes},
        outdated as materialized (
          select s.span, f.base_mint, f.trader, f.volume, f.bought
          from spans s cross join lateral (${facts(sql`s.earlier`, sql`s.later`)}) f
        ), touched as materialized (
          select base_mint, trader, max(added) as added, bool_or(is_lost) as is_lost from (
            select base_mint, trader, case when sign > 0 then at end as added, sign < 0 as is_lost
            from changes, longest where at > longest.earlier
            union all
            select base_mint, trader, null, false from outdated
          ) t group by base_mint, trader
        ), lost as materialized (select base_mint, trader from touched where is_lost),
        lasts_of_lost as materialized (${lastOfLost}),
        lasts as materialized (
          select t.base_mint, t.trader, known.row_id, known.last_at as earlier,
            case when t.is_lost then l.at else greatest(known.last_at, t.added) end as later
          from touched t
          left join lasts_of_lost l using (base_mint, trader)
          left join lateral (
            select k.ctid as row_id, k.last_at from ${traderTable} k
            where k.base_mint = t.base_mint and k.trader = t.trader limit 1
          ) known on true
        ), sums as materialized (
          select span, base_mint, sum(traders)::bigint as traders, sum(trades)::bigint as trades, sum(volume) as volume,
            sum(bought) as bought
          from (
            select s.span, c.base_mint, 0 as traders, c.sign as trades, c.sign * c.volume as volume,
              c.sign * c.bought as bought
            from changes c join spans s on c.at > s.earlier
            union all
            select span, base_mint, 0, -1, -volume, -bought from outdated
            union all
            select s.span, l.base_mint,
              coalesce((l.later > s.later)::integer, 0) - coalesce((l.earlier > s.earlier)::integer, 0), 0, 0, 0
            from lasts l cross join spans s
          ) d group by span, base_mint
          having sum(traders) <> 0 or sum(trades) <> 0 or sum(volume) <> 0 or sum(bought) <> 0
        ), counts as materialized (
          select sums.*, known.row_id, sums.trades + coalesce(known.trades, 0) as trades_left
          from sums left join lateral (
            select w.ctid as row_id, w.trades from ${windowTable} w
            where w.span = sums.span and w.base_mint = sums.base_mint limit 1
          ) known on true
        ), remembered as (
          insert into ${traderTable} (base_mint, trader, last_at)
          select base_mint, trader, lasts.later from lasts, longest
          where lasts.later > longest.later and lasts.later is distinct from lasts.earlier
          on conflict (base_mint, trader) do update set last_at = excluded.last_at
        ), forgotten as (
          delete from ${traderTable} where ctid = any(array(
            select row_id from lasts, longest
            where row_id is not null and coalesce(lasts.later <= longest.later, true)))
        ), emptied as (
          delete from ${windowTable} where ctid = any(array(
            select row_id from counts where row_id is not null and trades_left = 0))
        )
        insert into ${windowTable} as w (span, base_mint, traders, trades, quote_volume, buy_volume)
        select span, base_mint, traders, trades, volume, bought from counts where trades_left <> 0
        on conflict (span, base_mint) do update set traders = w.traders + excluded.traders,
          trades = w.trades + excluded.trades, quote_volume = w.quote_volume + excluded.quote_volume,
          buy_volume = w.buy_volume + excluded.buy_volume`
    })

  return { recount, roll }
}
