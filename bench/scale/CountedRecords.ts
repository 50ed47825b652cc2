import * as Database from "@launch-registry/postgres/Database"
import { Effect } from "effect"
import type pg from "pg"
import { countRecords } from "../../packages/server/src/transactions/RecordedWindows.ts"
import { type BenchAddress, clientOf } from "../ingest/BenchDatabase.ts"

/** The shortest window. */
const RECENT_SECONDS = 300

/** Adds records of tokens that have some, up to now, where a registry that was kept has none of the last minutes. */
const addRecent = async (client: pg.Client, perSecond: number): Promise<void> => {
  await client.query(
    `with since as (
       select greatest(max(created_at), now() - make_interval(secs => ${RECENT_SECONDS})) as since from transactions
       where created_at <= now()
     )
     insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
       price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
     select gen_random_uuid(), user_address, 'recent', action, base_token, quote_token, amount_in, amount_out,
       price_per_token, slippage_bps, fee, fee_token, 'success', chain, pool_address, at, at
     from (
       select gen_random_uuid() as near, since + random() * (now() - since) as at
       from since, generate_series(1, floor($1::float8 * extract(epoch from now() - since))::int) offset 0
     ) g cross join lateral (select * from transactions t where t.id >= near order by t.id limit 1) t`,
    [perSecond],
  )
}

/** Counts the records of a filled registry, which a service that starts would do for minutes, beside its answers. */
export const countRecordsOf = async (address: BenchAddress, perSecond = 0): Promise<void> => {
  const client = clientOf(address)
  await client.connect()
  // From the start where that is longer ago: to move them on over days, in a registry that was kept, takes longer.
  await client.query("update recorded_progress set counted_at = null where counted_at < now() - interval '1 hour'")
  await Effect.runPromise(Effect.provide(countRecords(0, new Date()), Database.layer(address)))
  await client.query("vacuum (analyze)")
  await client.query("checkpoint")
  await addRecent(client, perSecond)
  await Effect.runPromise(Effect.provide(countRecords(0, new Date()), Database.layer(address)))
  await client.end()
}
