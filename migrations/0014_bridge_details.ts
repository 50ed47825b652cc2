import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the swap service says of a swap beyond its amounts, callers that ask for a swap, and when it last answered. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // asked_at: when a caller last brought the next look forward.
  yield* sql`
    alter table bridge_swaps
      drop constraint bridge_swaps_swap_type_check,
      add constraint bridge_swaps_swap_type_check check (swap_type in ('EXACT_INPUT', 'EXACT_OUTPUT', 'FLEX_INPUT')),
      add column deposit_type text not null default 'ORIGIN_CHAIN' check (deposit_type in ('ORIGIN_CHAIN', 'INTENTS')),
      add column refund_type text not null default 'ORIGIN_CHAIN' check (refund_type in ('ORIGIN_CHAIN', 'INTENTS')),
      add column amount_in_usd text,
      add column amount_out_usd text,
      add column deposited_amount_usd text,
      add column refunded_amount_usd text,
      add column slippage double precision,
      add column refund_fee numeric,
      add column withdraw_fee numeric,
      add column intent_hashes jsonb not null default '[]',
      add column near_tx_hashes jsonb not null default '[]',
      add column asked_at timestamptz(3)`

  // Which due reports are next: those that were never submitted, newest first, and then those that were refused least.
  yield* sql`alter table bridge_deposits add column refusals integer not null default 0`
  yield* sql`
    create index bridge_deposits_new on bridge_deposits (reported_at) where attempts = 0 and next_attempt_at is not null`
  yield* sql`
    create index bridge_deposits_refused on bridge_deposits (least(refusals, 8), next_attempt_at)
      where next_attempt_at is not null`

  // The part of the looks that may go to swaps that nobody paid: anybody may make any number of them.
  yield* sql`insert into bridge_budgets (name, tokens, refilled_at) values ('unpaid', 1000, 'epoch')`

  // When the swap service last answered, whatever it said; null before it was asked.
  yield* sql`alter table bridge_upstream add column answered_at timestamptz(3)`
})
