import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Numbers of mints in the order of their launches, or of their first trades: windows of tokens of one time are close together in an
 * index by number, and far apart in one by mint. A number never changes, and outlives all that has it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table mint_numbers (
      base_mint text collate "C" primary key,
      number bigint generated always as identity unique
    )`
  yield* sql`alter table trading_windows add column mint_number bigint`
  // A trigger also numbers what processes of the previous version write. A session keeps its plans, also those that it made while the table
  // was nearly empty: without the setting, those would read all of it.
  yield* sql`
    create function number_window() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      select number into new.mint_number from mint_numbers where base_mint = new.base_mint;
      if new.mint_number is null then
        insert into mint_numbers (base_mint) values (new.base_mint) on conflict (base_mint) do nothing
        returning number into new.mint_number;
      end if;
      -- Numbered by another transaction in between.
      if new.mint_number is null then
        select number into strict new.mint_number from mint_numbers where base_mint = new.base_mint;
      end if;
      return new;
    end $$`
  yield* sql`
    create trigger number_new_window before insert on trading_windows for each row
    when (new.mint_number is null) execute function number_window()`
})
