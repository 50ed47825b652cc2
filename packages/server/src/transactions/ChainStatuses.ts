import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { isSignature } from "@launch-registry/domain/solana/Signature"
import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import type { Signature } from "@solana/kit"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The name under which records of Solana are kept. */
const CHAIN = "solana"
/** The most that `getSignatureStatuses` takes. */
const STATUSES_MAX = 256
const ASK_EVERY_SECONDS = 5
/** Records of a day are asked about, the newest and then the others in turn. */
const REACH_MILLIS = 24 * 3_600_000

/**
 * What the chain says of recorded transactions; what it says wins over what clients said. A swap across chains has not ended
 * with its deposit, so those records are left to whoever follows the swap.
 */
export const chainStatuses = (sql: SqlClient) => {
  const settle = (hashes: ReadonlyArray<string>, status: "success" | "failed", now: Date) => sql`
    update transactions set status = ${status}, updated_at = ${now}
    where tx_hash = any(${hashes}::text[]) and chain = ${CHAIN} and action <> 'BRIDGE' and status <> ${status}
      and deleted_at is null`

  /** What was seen and taken back is not known to have landed: the chain is asked about it again. */
  const reopen = (hashes: ReadonlyArray<string>, now: Date) => sql`
    update transactions set status = 'pending', updated_at = ${now}
    where tx_hash = any(${hashes}::text[]) and chain = ${CHAIN} and action <> 'BRIDGE' and status = 'success'
      and deleted_at is null`

  const follow = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    const landed = changes.flatMap((change) => (change.type === "trade" ? [change.signature] : []))
    const now = new Date(yield* Clock.currentTimeMillis)
    if (landed.length > 0) yield* settle(landed, "success", now)
    const reverted = changes.flatMap((change) => (change.type === "revert" ? [change.signature] : []))
    if (reverted.length > 0) yield* reopen(reverted, now)
  })

  return { settle, follow }
}

/**
 * Asks the chain about pending records, now and then: the index tells of trades as they are seen, but not of transactions that
 * failed, nor of what was recorded after it had landed. Of all replicas one asks. A transaction that the chain does not know
 * stays pending.
 */
export const askStatuses = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rpc = yield* Rpc
  const statuses = chainStatuses(sql)
  let turn: Pending | undefined

  /** The newest pending records before `below`. */
  const pending = (since: Date, below: Pending | undefined) => sql<Pending>`
    select tx_hash, created_at, id from transactions
    where status = 'pending' and action in ('BUY', 'SELL', 'DEPLOY') and chain = ${CHAIN} and created_at > ${since}
      and deleted_at is null
      ${below === undefined ? sql`` : sql`and (created_at, id) < (${below.createdAt}, ${below.id}::uuid)`}
    order by created_at desc, id desc limit ${STATUSES_MAX}`

  const isOurTurn = Effect.map(
    sql`
      update registry_progress set statuses_asked_at = now()
      where statuses_asked_at < now() - make_interval(secs => ${ASK_EVERY_SECONDS}::integer) returning id`,
    (rows) => rows.length > 0,
  )

  const ask = Effect.fnUntraced(function* (records: ReadonlyArray<Pending>, now: Date) {
    const signatures = [...new Set(records.map(({ txHash }) => txHash).filter(isSignature))]
    if (signatures.length === 0) return
    const { value } = yield* rpc.call((kit) =>
      kit.getSignatureStatuses(signatures as unknown as ReadonlyArray<Signature>, { searchTransactionHistory: true }),
    )
    const isSettled = (index: number) => (value[index]?.confirmationStatus ?? "processed") !== "processed"
    const of = (hasFailed: boolean) =>
      signatures.filter((_, index) => isSettled(index) && (value[index]!.err !== null) === hasFailed)
    yield* statuses.settle(of(false), "success", now)
    yield* statuses.settle(of(true), "failed", now)
  })

  return Effect.gen(function* () {
    if (!(yield* isOurTurn)) return
    const now = yield* Clock.currentTimeMillis
    const since = new Date(now - REACH_MILLIS)
    const newest = yield* pending(since, undefined)
    yield* ask(newest, new Date(now))
    if (newest.length < STATUSES_MAX) return
    // Anybody may record transactions: however many there are, all of them are asked about in turn.
    const older = yield* pending(since, turn ?? newest.at(-1))
    yield* ask(older, new Date(now))
    turn = older.length < STATUSES_MAX ? undefined : older.at(-1)
  })
})

interface Pending {
  readonly txHash: string
  readonly createdAt: Date
  readonly id: string
}
