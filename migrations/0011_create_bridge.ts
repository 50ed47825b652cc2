import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Cross-chain swaps that were quoted here, and everything that follows them to their end. The server writes these tables. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A row stands before the swap service is asked; it becomes a swap of the same id in the transaction that stores the
  // signed quote. One that never does was never disclosed to anybody.
  yield* sql`
    create table bridge_requests (
      id uuid primary key,
      key text collate "C" unique,
      request_hash text collate "C" not null,
      state text not null check (state in ('requesting', 'quoted', 'refused')),
      attempt integer not null default 1,
      lease_until timestamptz(3) not null,
      failure text,
      raw text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`

  // What never became a swap is removed after a while.
  yield* sql`create index bridge_requests_left on bridge_requests (updated_at) where state <> 'quoted'`

  // The table is the queue: what has a next_poll_at is watched. Every write that says something raises the version, and a
  // write on top of another version than it read does not happen. Lanes are looked at apart: 0 has a deposit that the swap
  // service has shown, 1 one that a caller told of, 2 none; anybody may fill 1 and 2.
  yield* sql`
    create table bridge_swaps (
      id uuid primary key,
      user_address text collate "C" not null,
      user_key text collate "C" not null generated always as (
        case when user_address ~ '^0x[0-9a-fA-F]{40}$' then lower(user_address) else user_address end) stored,
      origin_asset text collate "C" not null,
      destination_asset text collate "C" not null,
      origin_chain text collate "C" not null,
      destination_chain text collate "C" not null,
      origin_decimals smallint not null,
      destination_decimals smallint not null,
      swap_type text not null check (swap_type in ('EXACT_INPUT', 'EXACT_OUTPUT')),
      recipient text collate "C" not null,
      recipient_type text not null check (recipient_type in ('DESTINATION_CHAIN', 'INTENTS')),
      refund_to text collate "C" not null,
      slippage_tolerance integer not null check (slippage_tolerance between 0 and 10000),
      app_fees jsonb not null,
      has_api_key boolean not null,
      deposit_address text collate "C" not null,
      deposit_key text collate "C" not null generated always as (
        case when deposit_address ~ '^0x[0-9a-fA-F]{40}$' then lower(deposit_address) else deposit_address end) stored,
      deposit_memo text collate "C",
      deposit_by timestamptz(3) not null,
      inactive_at timestamptz(3) not null,
      time_estimate_seconds double precision not null,
      amount_in numeric not null check (amount_in >= 0),
      amount_out numeric not null check (amount_out >= 0),
      min_amount_in numeric not null,
      min_amount_out numeric not null,
      signed_quote text not null,
      correlation_id text,
      status text not null check (status in ('pending', 'success', 'failed')),
      substatus text not null,
      upstream_status text,
      deposit_shown boolean not null default false,
      deposited_amount numeric,
      missing_amount numeric,
      refunded_amount numeric,
      refund_reason text,
      origin_txs jsonb not null default '[]',
      destination_txs jsonb not null default '[]',
      stalled boolean not null default false,
      needs_review boolean not null default false,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      progressed_at timestamptz(3) not null,
      last_checked_at timestamptz(3),
      lane smallint not null default 2 check (lane between 0 and 2),
      next_poll_at timestamptz(3),
      lease_until timestamptz(3),
      attempts integer not null default 0,
      unreadable_answers integer not null default 0,
      version integer not null default 1
    )`
  // On chains with memos swaps share an address. Addresses are kept as they were written and found in any case that means the
  // same: the case of an EVM address is a checksum.
  yield* sql`create unique index bridge_swaps_address on bridge_swaps (deposit_key, coalesce(deposit_memo, ''))`
  yield* sql`create index bridge_swaps_due on bridge_swaps (lane, next_poll_at) where next_poll_at is not null`
  yield* sql`create index bridge_swaps_abandoned on bridge_swaps (inactive_at) where next_poll_at is null and lane = 2`
  yield* sql`create index bridge_swaps_address_recent on bridge_swaps (deposit_key, created_at desc, id desc)`
  yield* sql`create index bridge_swaps_recent on bridge_swaps (created_at desc, id desc)`
  yield* sql`create index bridge_swaps_user on bridge_swaps (user_key, created_at desc, id desc)`
  yield* sql`create index bridge_swaps_user_status on bridge_swaps (user_key, status, created_at desc, id desc)`
  yield* sql`create index bridge_swaps_status on bridge_swaps (status, created_at desc, id desc)`

  // What happened to a swap, by the version it gave: rows are added and never changed.
  yield* sql`
    create table bridge_events (
      swap_id uuid not null references bridge_swaps (id),
      version integer not null,
      at timestamptz(3) not null,
      type text not null,
      status text not null,
      substatus text not null,
      upstream_status text,
      detail text,
      raw text,
      primary key (swap_id, version)
    )`

  // The outbox of reported deposits. Anybody may report: what the swap service took counts, what it refused to the end does not.
  yield* sql`
    create table bridge_deposits (
      swap_id uuid not null references bridge_swaps (id),
      tx_hash text collate "C" not null,
      near_sender_account text collate "C",
      reported_at timestamptz(3) not null,
      delivered_at timestamptz(3),
      is_refused boolean not null default false,
      next_attempt_at timestamptz(3),
      attempts integer not null default 0,
      last_error text,
      primary key (swap_id, tx_hash)
    )`
  yield* sql`create index bridge_deposits_due on bridge_deposits (next_attempt_at) where next_attempt_at is not null`

  yield* sql`
    create table bridge_tokens (
      id boolean primary key default true check (id),
      assets text not null,
      as_of timestamptz(3) not null
    )`

  // Requests to the swap service that all processes together may make: token buckets, full at first.
  yield* sql`
    create table bridge_budgets (
      name text primary key,
      tokens double precision not null,
      refilled_at timestamptz(3) not null
    )`
  yield* sql`
    insert into bridge_budgets (name, tokens, refilled_at)
    values ('watch', 1000, 'epoch'), ('quote', 1000, 'epoch'), ('dry', 1000, 'epoch'), ('tokens', 1000, 'epoch')`

  // What all processes together know of the swap service, by what it is asked for: breakers, and the patience that it asked
  // for, which is had by all.
  yield* sql`
    create table bridge_upstream (
      name text primary key,
      failures integer not null default 0,
      reason text,
      http_status integer,
      rests_until timestamptz(3),
      probe_until timestamptz(3),
      paused_until timestamptz(3)
    )`
  yield* sql`insert into bridge_upstream (name) values ('watch'), ('quote'), ('tokens')`
})
