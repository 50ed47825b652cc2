import * as Database from "@launch-registry/postgres/Database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { tokenSkeletons } from "../../packages/server/src/trust/TokenSkeletons.ts"
import { type BenchAddress, clientOf } from "../ingest/BenchDatabase.ts"

/**
 * Compares the names of all tokens of a filled registry. A service does so for minutes, with the rows that it did not register, and on a new
 * database again once it has read the index, of which there is nothing here. Beside that its answers take longer, those that read nothing as well.
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
