import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Searches of several words, and of long ones, by what few texts have: six letters in a row. The trigrams of such a term are in so many
 * tokens that reading their lists takes longer, the larger the registry is.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // Each six letters (or digits) in a row of a word; and of two words, the last three of one and the first three of the next. A text
  // that contains another has all of its letters in a row, apart from those of words that are cut.
  yield* sql`
    create or replace function letters_in_a_row(text text) returns text[] language plpgsql immutable strict parallel safe as $$
    declare
      words text[] := regexp_split_to_array(text, '[^[:alnum:]]+');
      letters text[] := '{}';
      last text := '';
      word text;
      piece text;
    begin
      foreach word in array words loop
        if word <> '' then
          if last <> '' then
            letters := letters || (right(last, 3) || ' ' || left(word, 3));
          end if;
          -- To find a place in a text takes the longer, the further it is.
          for start in 0 .. (length(word) - 6) / 100 loop
            piece := substr(word, start * 100 + 1, 105);
            for place in 1 .. length(piece) - 5 loop
              letters := letters || substr(piece, place, 6);
            end loop;
          end loop;
          last := word;
        end if;
      end loop;
      return letters;
    end $$`
  // Each search reads the list of pending entries. Without one an insertion would take longer.
  yield* sql`
    create index if not exists tokens_letters on tokens
    using gin (letters_in_a_row(lower(symbol || e'\n' || name || e'\n' || description))) with (gin_pending_list_limit = 256)
    where deleted_at is null`
})
