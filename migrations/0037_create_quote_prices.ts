import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Prices of quote tokens in US dollars, by minute: one whole token is worth `usd`. Written by the server from the source that PRICE_URL
 * names. `quote_price_refreshes` has one row: when a process last asked, so that one of
 * them asks at a time, and when one last stored any (at first, of this migration).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table quote_prices (
      quote_mint text collate "C" not null,
      minute timestamptz(0) not null,
      usd numeric(36, 18) not null check (usd > 0),
      read_at timestamptz(3) not null,
      primary key (quote_mint, minute)
    )`
  yield* sql`
    create table quote_price_refreshes (
      id boolean primary key default true check (id),
      asked_at timestamptz(3) not null default '-infinity',
      stored_at timestamptz(3) not null default now(),
      swept_at timestamptz(3) not null default '-infinity'
    )`
  yield* sql`insert into quote_price_refreshes default values`
})
