import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What was received of the chain, as it was received, and what is known of its completeness. The indexer writes these
 * tables; everything else it keeps can be derived from them again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The log is read in the order of its offsets, so they are handed out in the order of commits: by this one row.
  yield* sql`
    create table inbox_head (
      id boolean primary key default true check (id),
      next_offset bigint not null
    )`
  yield* sql`insert into inbox_head (next_offset) values (1)`

  // Bodies as they came, compressed together; positions are those of the transactions in them that were new.
  yield* sql`
    create table inbox_segments (
      log_offset bigint primary key,
      source text not null,
      received_at timestamptz(3) not null,
      first_slot bigint not null,
      last_slot bigint not null,
      positions integer[] not null,
      bytes bytea not null
    )`
  // They are compressed already.
  yield* sql`alter table inbox_segments alter column bytes set storage external`

  yield* sql`
    create table inbox_transactions (
      slot bigint not null,
      signature text collate "C" not null,
      log_offset bigint not null,
      position integer not null,
      primary key (slot, signature)
    )`

  // Appended in the order of the log, so a summary of pages is enough to find what came after an offset.
  yield* sql`
    create index inbox_transactions_log_offset on inbox_transactions using brin (log_offset) with (autosummarize = on)`

  // What no slot and signature could be read from.
  yield* sql`
    create table inbox_poison (
      digest bytea primary key,
      received_at timestamptz(3) not null,
      source text not null,
      reason text not null,
      bytes bytea not null
    )`

  // What was received and could not be decoded.
  yield* sql`
    create table dead_letters (
      log_offset bigint not null,
      position integer not null,
      slot bigint not null,
      signature text collate "C" not null,
      reason text not null,
      module_hash text not null,
      primary key (log_offset, position)
    )`

  // What was received and is not on the finalized chain: forged, or of a dropped fork.
  yield* sql`
    create table inbox_dropped (
      log_offset bigint not null,
      position integer not null,
      slot bigint not null,
      signature text collate "C" not null,
      reason text not null,
      dropped_at timestamptz(3) not null,
      primary key (log_offset, position)
    )`

  // Slots of which everything is in the log up to an offset; the stretches do not overlap.
  yield* sql`
    create table coverage (
      from_slot bigint primary key,
      to_slot bigint not null,
      proven_by text not null,
      proven_at timestamptz(3) not null,
      log_offset bigint not null,
      check (from_slot <= to_slot)
    )`

  yield* sql`
    create table leases (
      name text primary key,
      holder text not null,
      token bigint not null,
      expires_at timestamptz not null
    )`

  // What the leader last said of itself and of its webhook, for whoever asks another replica.
  yield* sql`
    create table indexer_reports (
      name text primary key,
      report jsonb not null,
      reported_at timestamptz(3) not null
    )`
})
