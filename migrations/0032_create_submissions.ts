import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Signed transactions on their way to the chain. `next_check_at` is due time and lease of one that has not ended; `attempts` counts the
 * claims, `version` the changes that callers see. The bytes are forgotten once it has ended: nothing is sent any more.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table launch_submissions (
      signature text collate "C" primary key,
      transaction bytea check (octet_length(transaction) <= 1232),
      signers text[] not null,
      programs text[] not null,
      blockhash text collate "C" not null,
      last_valid_block_height bigint,
      skips_preflight boolean not null,
      state text not null check (state in ('pending', 'processed', 'confirmed', 'finalized', 'failed', 'expired')),
      slot bigint,
      error jsonb,
      version integer not null,
      attempts integer not null,
      sends integer not null,
      next_check_at timestamptz(3) not null,
      record_id uuid,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      settled_at timestamptz(3),
      check ((transaction is null) = (settled_at is not null))
    )`
  yield* sql`create index launch_submissions_due on launch_submissions (next_check_at) where settled_at is null`
  yield* sql`create index launch_submissions_settled on launch_submissions (settled_at) where settled_at is not null`
})
