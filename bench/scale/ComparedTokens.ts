import * as Database from "@launch-registry/postgres/Database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { tokenSkeletons } from "../../packages/server/src/trust/TokenSkeletons.ts"
import { type BenchAddress, clientOf } from "../ingest/BenchDatabase.ts"

/**
 * Compares the names of all tokens of a filled registry. The service does so once for rows that it did not register, for minutes, beside
 * which its answers take longer, those that read nothing as well.
 */
export const compareTokens = async (address: BenchAddress): Promise<void> => {
  const compared = Effect.gen(function* () {
    const { step } = tokenSkeletons(yield* SqlClient)
    while (!(yield* step));
  })
  await Effect.runPromise(Effect.provide(compared, Database.layer(address)))
  const client = clientOf(address)
  await client.connect()
  await client.query("vacuum (analyze) token_skeletons")
  await client.end()
}
