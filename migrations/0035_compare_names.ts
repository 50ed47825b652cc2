import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Names and symbols that look alike. `token_skeletons` is derived by the server from the registry and from the tables of the indexer: a
 * row for each key that a name or symbol is compared by. `since` is the slot of the launch, or of a token that is only registered the
 * time of that in milliseconds: `is_claim` sorts those behind all launches. `size` is the binary logarithm of the volume of seven
 * days in smallest units of the quote token.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table token_skeletons (
      mint_address text collate "C" not null,
      field text collate "C" not null check (field in ('name', 'symbol')),
      skeleton text collate "C" not null,
      is_claim boolean not null,
      since bigint not null,
      quote_mint text collate "C",
      size smallint,
      is_verified boolean not null,
      primary key (mint_address, field, skeleton)
    )`
  yield* sql`create index token_skeletons_oldest on token_skeletons (skeleton, field, is_claim, since, mint_address)`
  yield* sql`
    create index token_skeletons_largest on token_skeletons (skeleton, field, quote_mint, size desc, mint_address)
    where size is not null`
  yield* sql`create index token_skeletons_verified on token_skeletons (skeleton, field, mint_address) where is_verified`

  // How far tokens and launches have been compared with it, and whether that was done for all of them once.
  yield* sql`
    create table skeleton_progress (
      id boolean primary key default true check (id),
      compared_to text collate "C" not null default '',
      is_compared boolean not null default false,
      sized_at timestamptz(3) not null default '-infinity'
    )`
  yield* sql`insert into skeleton_progress default values`
})
