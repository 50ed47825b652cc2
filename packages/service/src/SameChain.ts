import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { INDEXER_LEASE } from "@launch-registry/domain/system/LeaderReport"
import { assertSameChain, identityStatements, LOCAL_CHAIN } from "@launch-registry/indexer/identity/ChainIdentity"
import { forgetChain } from "@launch-registry/indexer/identity/ForgetChain"
import { leaseStatements } from "@launch-registry/indexer/leader/Lease"
import { awaitingDatabase } from "@launch-registry/postgres/AwaitDatabase"
import { Effect, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Settings } from "./Settings.ts"

/** An endpoint that has not said which chain it is of by then is compared when it does, before anything is indexed. */
const ASK_DEADLINE_MILLIS = 2_000
const ASK_MILLIS = 50
const LEASE_MILLIS = 15_000
const WAIT_MILLIS = 200

/** Empties the index once whoever led before is gone: one that was killed still has the lease for some seconds. */
const forget = Effect.gen(function* () {
  const lease = leaseStatements(yield* SqlClient)
  const acquire = lease.acquire(INDEXER_LEASE, `start ${process.pid}`, LEASE_MILLIS)
  let fence = yield* acquire
  while (fence === undefined) {
    yield* Effect.sleep(WAIT_MILLIS)
    fence = yield* acquire
  }
  yield* Effect.ensuring(forgetChain(fence), Effect.ignore(lease.release(fence)))
})

/**
 * The database is of the chain that the service is configured for, or the service does not start. The one exception is an
 * embedded database with the index of a local chain that was inside of this service and is gone: nobody has that chain any more.
 */
export const sameChain = (settings: Settings) =>
  Layer.effectDiscard(
    awaitingDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rpc = yield* Rpc
        const known = yield* identityStatements(sql).known
        if (known === undefined) return
        const isLocalChain = settings.rpcUrls.length === 0
        const ask = rpc
          .call((kit) => kit.getGenesisHash())
          .pipe(Effect.retry(Schedule.spaced(ASK_MILLIS)), Effect.timeoutOption(ASK_DEADLINE_MILLIS))
        const isKnown = !isLocalChain && settings.genesisHash !== ANY_GENESIS
        const configured = isKnown ? Option.some(settings.genesisHash) : yield* ask
        if (Option.isNone(configured))
          return yield* Effect.logWarning("No RPC endpoint says which chain it is of: it is compared once one does")
        if (known.genesisHash === configured.value) return
        if (!isLocalChain || Option.isSome(settings.databaseUrl) || known.network !== LOCAL_CHAIN)
          return yield* assertSameChain(known, configured.value)
        const gone = `The local chain with genesis hash ${known.genesisHash}, which the database holds the index of, is gone`
        yield* Effect.logWarning(`${gone}: its index is emptied; what was registered and recorded stays`)
        yield* forget
      }),
    ),
  )
