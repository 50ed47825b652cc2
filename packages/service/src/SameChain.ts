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

/** Timeout of the genesis hash query; otherwise it is compared later, before anything is indexed. */
const ASK_DEADLINE_MILLIS = 2_000
const ASK_MILLIS = 50
const LEASE_MILLIS = 15_000
const WAIT_MILLIS = 200

/** Empties the index once the previous leader's lease has expired or is released. */
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
 * Fails the start if the database holds the index of another chain. Exception: the index in an embedded database of an
 * in-process local chain that no longer exists is emptied.
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
          return yield* Effect.logWarning(
            "No RPC endpoint returns its genesis hash yet; it will be checked before indexing",
          )
        if (known.genesisHash === configured.value) return
        if (!isLocalChain || Option.isSome(settings.databaseUrl) || known.network !== LOCAL_CHAIN)
          return yield* assertSameChain(known, configured.value)
        const gone = `The indexed local chain with genesis hash ${known.genesisHash} no longer exists`
        yield* Effect.logWarning(`${gone}: emptying its index; tokens and transaction records stay`)
        yield* forget
      }),
    ),
  )
