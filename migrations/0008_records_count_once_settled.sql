-- Whether a record is a trade that the chain has confirmed. What a client reports counts for nothing, nor does a record whose place another has.
create or replace function is_settled_trade(t transactions) returns boolean language sql immutable parallel safe as $$
  select t.action in ('BUY', 'SELL') and t.chain = 'solana' and t.status = 'success' and not t.is_reported
    and t.is_sole is not false and t.deleted_at is null
$$;

create or replace function note_recorded_trade() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into recorded_changes (sign, base_mint, trader, volume, created_at)
    select -1, old.base_token, old.user_address, coalesce(old.quote_volume, 0), old.created_at
    where is_settled_trade(old);
  end if;
  if tg_op <> 'DELETE' then
    insert into recorded_changes (sign, base_mint, trader, volume, created_at)
    select 1, new.base_token, new.user_address, coalesce(new.quote_volume, 0), new.created_at
    where is_settled_trade(new);
  end if;
  return null;
end $$;
create or replace trigger note_new_trade after insert on transactions for each row
  when (is_settled_trade(new)) execute function note_recorded_trade();
create or replace trigger note_changed_trade after update on transactions for each row
  when (is_settled_trade(old) or is_settled_trade(new)) execute function note_recorded_trade();
create or replace trigger note_deleted_trade after delete on transactions for each row
  when (is_settled_trade(old)) execute function note_recorded_trade();

-- What was counted before is counted again.
update recorded_progress set counted_at = null;
