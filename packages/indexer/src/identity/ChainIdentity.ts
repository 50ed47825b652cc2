import { GENESIS_HASH } from "@launch-registry/chain/rpc/Network"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { INDEXER } from "../command/CommandFile.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { transactionsOfLocalChain } from "../sources/CapturedTransactions.ts"

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

/** SQL of `chain_identity`. */
export const identityStatements = (sql: SqlClient) => {
  const stored = Effect.map(
    sql<ChainIdentity>`select genesis_hash, network from chain_identity`,
    ([row]): ChainIdentity | undefined => row,
  )

  /** Whether the log begins with the captured transactions of the local chain; no other chain has them. */
  const isOfLocalChain = Effect.suspend(() => {
    const [{ slot, transaction }] = transactionsOfLocalChain as [(typeof transactionsOfLocalChain)[number]]
    return Effect.map(
      sql`select from inbox_transactions where slot = ${slot} and signature = ${transaction.signatures[0]!}`,
      (rows) => rows.length > 0,
    )
  })

  /** An index from before its chain was stored: its leader said which one it followed. */
  const reported = Effect.gen(function* () {
    const genesisHash = (yield* reportStatements(sql).leader)?.cluster
    if (genesisHash === undefined || genesisHash === null) return undefined
    const known = Object.entries(GENESIS_HASH).find(([, hash]) => hash === genesisHash)
    const network = known?.[0] ?? ((yield* isOfLocalChain) ? LOCAL_CHAIN : "localnet")
    return { genesisHash, network } satisfies ChainIdentity
  })

  /** The chain that the index is of; nothing when nothing was indexed yet. */
  const known = Effect.flatMap(stored, (identity) => (identity === undefined ? reported : Effect.succeed(identity)))

  /** Returns the stored identity; without one, stores this one. Within a transaction of the leader. */
  const keep = Effect.fnUntraced(function* (current: ChainIdentity, now: Date) {
    const identity = (yield* known) ?? current
    yield* sql`
      insert into chain_identity ${sql.insert({ ...identity, firstSeenAt: now })} on conflict do nothing`
    return identity
  })

  return { known, keep }
}
