import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { takeTurn } from "../system/Turn.ts"
import { rankPopular } from "./PopularRanks.ts"

const TURN_MILLIS = 5_000
/** A replica that comes a little early still takes its turn. */
const RANK_SECONDS = 4
/** All records of a week are read. */
const COUNT_SECONDS = 60

/**
 * Counts distinct users, records and volume of each token in spans up to a moment, of BUY and SELL records that the chain has confirmed. What
 * a client reports counts for nothing, nor does a record whose place another has. Then ranks tokens.
 */
export const countRecords = Effect.fnUntraced(function* (at?: Date) {
  const sql = yield* SqlClient
  yield* sql`
    with spans as (
      select span, coalesce(${at ?? null}::timestamptz, now()) - length::interval as edge
      from unnest(${Object.keys(WINDOW_LENGTHS)}::text[], ${Object.values(WINDOW_LENGTHS)}::text[]) as s (span, length)
    ), records as materialized (
      select base_token, user_address, quote_volume, created_at from transactions
      where created_at > (select min(edge) from spans) and action in ('BUY', 'SELL') and chain = 'solana'
        and status = 'success' and not is_reported and is_sole is not false and deleted_at is null
    ), counted as materialized (
      select span, base_token as base_mint, count(distinct user_address) as traders, count(*) as trades,
        coalesce(sum(quote_volume), 0) as quote_volume
      from spans join records on created_at > edge group by span, base_token
    ), gone as (
      delete from recorded_windows w
      where not exists (select from counted c where (c.span, c.base_mint) = (w.span, w.base_mint))
    )
    insert into recorded_windows as w (span, base_mint, traders, trades, quote_volume)
    select span, base_mint, traders, trades, quote_volume from counted
    on conflict (span, base_mint) do update set (traders, trades, quote_volume)
      = (excluded.traders, excluded.trades, excluded.quote_volume)
    where (w.traders, w.trades, w.quote_volume) is distinct from (excluded.traders, excluded.trades, excluded.quote_volume)`
  return yield* rankPopular(sql)
})

/** Counts records, and ranks tokens by them and by trades, for the lifetime of the process; of all processes one at a time. */
export const CountRecordsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const turn = Effect.gen(function* () {
      if (!(yield* takeTurn(sql, "ranks", RANK_SECONDS))) return
      yield* sql`select set_config('statement_timeout', '1min', true), set_config('jit', 'off', true)`
      yield* (yield* takeTurn(sql, "records", COUNT_SECONDS)) ? countRecords() : rankPopular(sql)
    }).pipe(sql.withTransaction)
    const provided = Effect.provideService(turn, SqlClient, sql)
    yield* Effect.forkScoped(regularly("Counting records of the last days", TURN_MILLIS, provided))
  }),
)
