import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Clock, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unstalledClock } from "../../../chain/test/UnstalledClock.ts"
import { generateChain } from "../../fixtures/GenerateTransactions.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { coverageStatements } from "../../src/finality/CoverageStatements.ts"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { PoolReconciler } from "../../src/finality/PoolReconciler.ts"
import { union } from "../../src/sources/SlotRanges.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import type { TableDigest } from "../../src/replay/Digest.ts"
import { rpcHistory } from "../../src/sources/RpcHistory.ts"
import type { StandInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, receiveTransactions, testIndex } from "../TestIndex.ts"

/** Some 180 transactions of the program, of which about one in twelve failed. */
export const { blocks } = generateChain({
  seed: 20,
  slots: 45,
  transactionsPerSlot: 4,
  failedShare: 0.08,
  isLarge: false,
  dammShare: 0,
})
export const transactions = blocks.flatMap((block) => block.transactions)
export const landed = transactions.filter(({ meta }) => meta.err === null)
export const ORIGIN = blocks[0]!.slot
export const LAST = blocks.at(-1)!.slot
export const between = (first: number, last: number) =>
  transactions.filter(({ slot }) => slot >= ORIGIN + first && slot <= ORIGIN + last)

/** Pages are small, so that there are many of them. */
const PAGE_SIZE = 10

/** The failover over these nodes, probed often so that they are soon in use again. */
export const rpcOver = (clusters: ReadonlyArray<StandInCluster>) =>
  Rpc.layer({ urls: clusters.map(({ url }) => Redacted.make(url)), genesisHash: ANY_GENESIS, probeMillis: 20 }).pipe(
    Layer.provide(unstalledClock),
  )

/** An index that is reconciled with these nodes. */
export const reconciledIndex = (...clusters: ReadonlyArray<StandInCluster>) =>
  Layer.mergeAll(Reconciler.layer, PoolReconciler.layer).pipe(
    Layer.provideMerge(rpcHistory({ pageSize: PAGE_SIZE })),
    Layer.provideMerge(rpcOver(clusters)),
    Layer.provideMerge(testIndex),
    Layer.provideMerge(Logger.layer([])),
  )

export const round = (fence: Fence, origin = ORIGIN) =>
  Effect.flatMap(Reconciler, (reconciler) => reconciler.round(BigInt(origin), fence))

/** Rounds until one succeeds: a node that failed is out of use for a moment. */
export const roundAtLast = (fence: Fence) =>
  Effect.retry(round(fence), {
    schedule: Schedule.spaced(30),
    times: 200,
    while: (error) => error._tag === "HistoryIncomplete",
  })

/** The same an hour later, when what could not be read is due again. */
export const anHourLater = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const currentTimeMillis = Effect.map(clock.currentTimeMillis, (millis) => millis + 3_600_000)
    return Effect.provideService(work, Clock.Clock, Object.assign(Object.create(clock), { currentTimeMillis }))
  })

/** A digest that is equal for equal transactions in any database. */
const digests = new WeakMap<ReadonlyArray<RawTransaction>, ReadonlyArray<TableDigest>>()

/** Digests of the tables when exactly these were delivered; afterwards the index is empty. */
export const digestOfAll = (fence: Fence, all: ReadonlyArray<RawTransaction> = transactions) =>
  Effect.gen(function* () {
    const known = digests.get(all)
    if (known !== undefined) return known
    yield* receiveTransactions(all)
    yield* fold(fence)
    const whole = yield* digest
    yield* forget
    digests.set(all, whole)
    return whole
  })

/** Rows of `coverage`. */
export const coverageRows = Effect.flatMap(SqlClient, (sql) => coverageStatements(sql).all)

/** Covered slots, as offsets from the origin. */
export const covered = Effect.map(coverageRows, (rows) =>
  union(rows).map(({ fromSlot, toSlot }) => [Number(fromSlot) - ORIGIN, Number(toSlot) - ORIGIN]),
)

/** The reverted transactions, by reason. */
export const dropped = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly reason: string; readonly count: number }>`
    select reason, count(*)::integer as count from inbox_dropped group by reason order by reason`
  return Object.fromEntries(rows.map(({ count, reason }) => [reason, count]))
})

/** A sample without this share of the transactions. */
export const without = (share: number, seed: number, all: ReadonlyArray<RawTransaction> = transactions) => {
  const random = new SeededRandom(seed)
  return all.filter(() => !random.chance(share))
}

export const randomSignature = (seed: number): string => encodeBase58(new SeededRandom(seed).bytes(64))

/** Transactions that are not on the chain: a real one under another signature, or in another slot. */
export const forged = (
  from: RawTransaction,
  {
    signature = from.transaction.signatures[0]!,
    slot = from.slot,
  }: { readonly signature?: string; readonly slot?: number },
): RawTransaction => ({ ...from, slot, transaction: { ...from.transaction, signatures: [signature] } })
