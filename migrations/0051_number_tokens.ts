import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Numbers of tokens: a new one has that of its mint at once if there is one, an earlier one when the registry has followed. After the numbers of
 * windows, so that there is no moment in which a token has a number that a window of its mint has not.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table token_number_progress (
      id boolean primary key default true check (id),
      number bigint not null default 0
    )`
  yield* sql`insert into token_number_progress default values`
  yield* sql`alter table tokens add column mint_number bigint`
  yield* sql`
    create function number_token() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      select number into new.mint_number from mint_numbers where base_mint = new.mint_address;
      return new;
    end $$`
  yield* sql`
    create trigger number_new_token before insert on tokens for each row
    when (new.mint_number is null) execute function number_token()`
})
