-- pg_trgm makes no trigrams of letters that LC_CTYPE does not know, of signs, and of words of one or two letters: each character
-- beyond ASCII, and each two in a row, whatever the locale is. Few texts have both characters of a word in a script of thousands.
create or replace function letters_beyond_ascii(text text) returns text[] language plpgsql immutable strict parallel safe cost 1000 as $$
begin
  if octet_length(text) = length(text) then
    return '{}';
  end if;
  return array(
    select piece from (
      select letter, lead(letter) over (order by place) as next
      from string_to_table(text, null) with ordinality letters (letter, place)
    ) pairs, lateral (values (letter), (case when octet_length(next) > 1 then letter || next end)) pieces (piece)
    where octet_length(letter) > 1 and piece is not null
  );
end $$;
create index if not exists tokens_beyond_ascii on tokens using gin (letters_beyond_ascii(lower(symbol || e'\n' || name || e'\n' || description)))
  with (gin_pending_list_limit = 256) where deleted_at is null;
