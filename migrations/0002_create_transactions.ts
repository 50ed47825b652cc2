import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Transaction records of clients, and of the service for bridges and deployments. The server writes this table. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table transactions (
      id uuid primary key,
      user_address text collate "C" not null,
      tx_hash text collate "C" not null,
      action text not null check (action in ('BUY', 'SELL', 'BRIDGE', 'DEPLOY')),
      base_token text collate "C" not null,
      quote_token text collate "C" not null,
      amount_in numeric not null check (amount_in >= 0 and scale(amount_in) <= 40),
      amount_out numeric not null check (amount_out >= 0 and scale(amount_out) <= 40),
      price_per_token numeric not null check (price_per_token >= 0 and scale(price_per_token) <= 40),
      slippage_bps integer not null check (slippage_bps between 0 and 10000),
      fee numeric not null check (fee >= 0 and scale(fee) <= 40),
      fee_token text collate "C" not null,
      status text not null check (status in ('pending', 'success', 'failed')),
      chain text collate "C" not null,
      pool_address text collate "C" not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3)
    )`

  // Every equality a list can ask for leads an index that ends in the order of the list, so that no filter makes the
  // planner walk the newest rows in the hope of a match.
  yield* sql`create index transactions_recent on transactions (created_at desc, id desc) where deleted_at is null`
  yield* sql`create index transactions_user on transactions (user_address, created_at desc, id desc) where deleted_at is null`
  yield* sql`create index transactions_base on transactions (base_token, created_at desc, id desc) where deleted_at is null`
  yield* sql`create index transactions_quote on transactions (quote_token, created_at desc, id desc) where deleted_at is null`
  yield* sql`
    create index transactions_facets on transactions (chain, action, status, created_at desc, id desc)
    where deleted_at is null`
  yield* sql`create index transactions_status on transactions (status, action, created_at desc, id desc) where deleted_at is null`
  yield* sql`create index transactions_action on transactions (action, created_at desc, id desc) where deleted_at is null`
  yield* sql`create index transactions_hash on transactions (tx_hash)`
})
