import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Claims of fees, and what each wallet has claimed in all. Both are derived by the indexer, like trades and candles. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // party: null for fees of a position, which belong to whoever holds its NFT. pool: of the venue. base_mint: null where the instruction
  // does not name it.
  yield* sql`
    create table fee_claims (
      ordinal bigint not null,
      signature text collate "C" not null,
      kind text collate "C" not null,
      party text collate "C",
      venue text collate "C" not null,
      pool text collate "C" not null,
      wallet text collate "C" not null,
      base_mint text collate "C",
      quote_mint text collate "C" not null,
      position text collate "C",
      base_amount numeric not null,
      quote_amount numeric not null,
      block_time timestamptz(0) not null,
      primary key (ordinal, signature)
    )`
  yield* sql`create index fee_claims_wallet on fee_claims (wallet, ordinal)`
  yield* sql`create index fee_claims_pool on fee_claims (pool, ordinal)`

  yield* sql`
    create table fee_totals (
      wallet text collate "C" not null,
      quote_mint text collate "C" not null,
      kind text collate "C" not null,
      claims bigint not null,
      quote_amount numeric not null,
      primary key (wallet, quote_mint, kind)
    )`
})
