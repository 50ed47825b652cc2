import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { INDEXER } from "../CommandFile.ts"

/** The network of the local chain inside a service. */
export const LOCAL_CHAIN = "local chain"

/** The chain that an index is of. */
export interface ChainIdentity {
  readonly genesisHash: string
  /** `mainnet`, `devnet`, `localnet`, or `local chain`. */
  readonly network: string
}

/** The database holds the index of one chain, and the service is configured for another one. */
export class AnotherChain extends Schema.TaggedError<AnotherChain>()("AnotherChain", {
  indexed: Schema.String,
  network: Schema.String,
  configured: Schema.String,
}) {
  override get message(): string {
    return (
      `The database holds the index of the chain with genesis hash ${this.indexed} (${this.network}), and the service is ` +
      `configured for the chain with genesis hash ${this.configured}. Use another database (DATABASE_URL, or DATA_FOLDER ` +
      `for the embedded one), or stop the service and empty the index, with the same DATABASE_URL or DATA_FOLDER: ` +
      `${INDEXER} forget-chain --yes`
    )
  }
}

/** Fails when an index is of another chain. */
export const assertSameChain = (
  { genesisHash, network }: ChainIdentity,
  configured: string,
): Effect.Effect<void, AnotherChain> =>
  genesisHash === configured
    ? Effect.void
    : Effect.fail(new AnotherChain({ indexed: genesisHash, network, configured }))

/** SQL of the chain in `indexer_progress`. */
export const identityStatements = (sql: SqlClient) => {
  /** The chain that the index is of; nothing when nothing was indexed yet. */
  const known = Effect.map(
    sql<ChainIdentity>`select genesis_hash, network from indexer_progress where genesis_hash is not null`,
    ([row]): ChainIdentity | undefined => row,
  )

  /** Returns the stored identity; without one, stores this one. Within a transaction of the leader. */
  const keep = Effect.fnUntraced(function* ({ genesisHash, network }: ChainIdentity) {
    yield* sql`
      update indexer_progress set genesis_hash = ${genesisHash}, network = ${network} where genesis_hash is null`
    return (yield* known) ?? { genesisHash, network }
  })

  return { known, keep }
}
