import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Windows of popular tokens are moved on by what was traded or recorded since, and by what has left them. For that, each
 * has who traded a token in the longest window and when last, what changed since, and how far it is counted.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  yield* sql`create index if not exists trading_windows_rank on trading_windows (span, traders desc, quote_volume desc)`
  yield* sql`
    create table trading_traders (
      base_mint text collate "C" not null,
      trader text collate "C" not null,
      last_at timestamptz(0) not null,
      primary key (base_mint, trader)
    )`
  // Reverted trades that may have been counted: those up to the offset that is counted were.
  yield* sql`
    create table trading_reverts (
      ordinal bigint not null,
      signature text collate "C" not null,
      log_offset bigint not null,
      base_mint text collate "C" not null,
      trader text collate "C" not null,
      quote_amount numeric not null,
      block_time timestamptz(0) not null,
      primary key (ordinal, signature, log_offset)
    )`
  // Counted up to this offset of the log, at this time, by the leader with this token, in this table of trades.
  yield* sql`
    create table trading_progress (
      id boolean primary key default true check (id),
      counted_at timestamptz(0),
      log_offset bigint not null default 0,
      token bigint not null default 0,
      trades_table bigint not null default 0
    )`
  yield* sql`insert into trading_progress default values`

  // The same of the records of clients; volume in whole tokens.
  yield* sql`
    create table recorded_windows (
      span text collate "C" not null,
      base_mint text collate "C" not null,
      traders bigint not null,
      trades bigint not null,
      quote_volume numeric not null,
      primary key (span, base_mint)
    )`
  yield* sql`create index recorded_windows_rank on recorded_windows (span, traders desc, quote_volume desc)`
  yield* sql`
    create table recorded_traders (
      base_mint text collate "C" not null,
      trader text collate "C" not null,
      last_at timestamptz(3) not null,
      primary key (base_mint, trader)
    )`
  yield* sql`
    create table recorded_changes (
      id bigint generated always as identity primary key,
      sign smallint not null,
      base_mint text collate "C" not null,
      trader text collate "C" not null,
      amount numeric not null,
      decimals smallint not null,
      created_at timestamptz(3) not null
    )`
  yield* sql`
    create table recorded_progress (
      id boolean primary key default true check (id),
      counted_at timestamptz(3)
    )`
  yield* sql`insert into recorded_progress default values`

  // A trigger also sees what processes of the previous version write.
  yield* sql`
    create function note_recorded_trade() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' and old.action in ('BUY', 'SELL') and old.status <> 'failed' and old.deleted_at is null then
        insert into recorded_changes (sign, base_mint, trader, amount, decimals, created_at)
        values (-1, old.base_token, old.user_address,
          case old.action when 'BUY' then old.amount_in else old.amount_out end,
          case old.action when 'BUY' then old.amount_in_decimals else old.amount_out_decimals end, old.created_at);
      end if;
      if tg_op <> 'DELETE' and new.action in ('BUY', 'SELL') and new.status <> 'failed' and new.deleted_at is null then
        insert into recorded_changes (sign, base_mint, trader, amount, decimals, created_at)
        values (1, new.base_token, new.user_address,
          case new.action when 'BUY' then new.amount_in else new.amount_out end,
          case new.action when 'BUY' then new.amount_in_decimals else new.amount_out_decimals end, new.created_at);
      end if;
      return null;
    end $$`
  yield* sql`
    create trigger note_new_trade after insert on transactions for each row
    when (new.action in ('BUY', 'SELL')) execute function note_recorded_trade()`
  yield* sql`
    create trigger note_changed_trade after update on transactions for each row
    when ((old.action, old.status = 'failed', old.deleted_at is null, old.base_token, old.user_address, old.amount_in,
        old.amount_in_decimals, old.amount_out, old.amount_out_decimals, old.created_at)
      is distinct from
      (new.action, new.status = 'failed', new.deleted_at is null, new.base_token, new.user_address, new.amount_in,
        new.amount_in_decimals, new.amount_out, new.amount_out_decimals, new.created_at))
    execute function note_recorded_trade()`
  yield* sql`
    create trigger note_deleted_trade after delete on transactions for each row
    when (old.action in ('BUY', 'SELL')) execute function note_recorded_trade()`
})
