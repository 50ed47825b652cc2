import * as Database from "@launch-registry/postgres/Database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { tokenSkeletons } from "../../packages/server/src/trust/TokenSkeletons.ts"
import { type BenchAddress, clientOf } from "../ingest/BenchDatabase.ts"

/**
 * Compares the names of all tokens of a filled registry. A service does that for minutes with tokens that it did not register, and again on a
 * new database, after its first reading of the index, which is empty here. While it does, all of its answers take longer.
 */
export const compareTokens = async (address: BenchAddress): Promise<void> => {
  const compared = Effect.gen(function* () {
    const { step } = tokenSkeletons(yield* SqlClient)
    while (!(yield* step));
  })
  await Effect.runPromise(Effect.provide(compared, Database.layer(address)))
  const client = clientOf(address)
  await client.connect()
  await client.query("update registry_progress set must_start_over = false")
  await client.query("vacuum (analyze) token_skeletons")
  await client.query("checkpoint")
  await client.end()
}
