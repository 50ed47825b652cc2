import * as Database from "@launch-registry/postgres/Database"
import { Effect } from "effect"
import { countRecords } from "../../packages/server/src/transactions/RecordedWindows.ts"
import { type BenchAddress, clientOf } from "../ingest/BenchDatabase.ts"

/** Counts the records of a filled registry, which a service that starts would do for minutes, beside its answers. */
export const countRecordsOf = async (address: BenchAddress): Promise<void> => {
  const client = clientOf(address)
  await client.connect()
  // From the start where that is longer ago: to move them on over days, in a registry that was kept, takes longer.
  await client.query("update recorded_progress set counted_at = null where counted_at < now() - interval '1 hour'")
  await Effect.runPromise(Effect.provide(countRecords(0, new Date()), Database.layer(address)))
  await client.query("vacuum (analyze)")
  await client.query("checkpoint")
  await client.end()
}
