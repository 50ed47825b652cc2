import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { isSignature } from "@launch-registry/solana/SignatureText"
import type { Signature } from "@solana/kit"
import { Clock, Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { chainStatuses, type Seen } from "./ChainStatuses.ts"
import { expiredRecords } from "./ExpiredRecords.ts"
import { indexedTrades } from "./IndexedTrades.ts"
import { type Unsettled, unsettled } from "./Unsettled.ts"

/** The most that `getSignatureStatuses` takes. */
const STATUSES_MAX = 256
const ASK_EVERY_SECONDS = 5
/** A record this young may have been written while the follower passed its trade by. */
const YOUNG_MILLIS = 30_000

/**
 * Asks the chain about pending records, now and then: the index tells of trades as they are seen, but not of transactions that
 * failed or never landed, nor of what was recorded after it had landed. Of all replicas one asks.
 *
 * No record misses its trade. A trade that was committed before the record's insert began is found by the insert itself. One
 * that is committed later is settled by the follower, if it sees the record by then. If it does not, because the transaction of
 * the insert was still open, then the record is committed after its trade: it is pending, and is compared with `trades` here
 * while it is young, and in any case before it expires.
 */
export const askStatuses = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rpc = yield* Rpc
  const statuses = chainStatuses(sql)
  const records = unsettled(sql)
  const trades = indexedTrades(sql)
  const expired = expiredRecords(rpc)
  let turn: Unsettled | undefined

  const isOurTurn = Effect.map(
    sql`
      update registry_progress set statuses_asked_at = now()
      where statuses_asked_at < now() - make_interval(secs => ${ASK_EVERY_SECONDS}::integer) returning id`,
    (rows) => rows.length > 0,
  )

  const ask = Effect.fnUntraced(function* (page: ReadonlyArray<Unsettled>, millis: number) {
    const now = new Date(millis)
    const unreadable = expired.unreadable(page, millis)
    if (unreadable.length > 0) yield* records.expire(unreadable, now)
    const signed = page.filter(({ txHash }) => isSignature(txHash))
    if (signed.length === 0) return
    const young = signed.filter(({ createdAt }) => millis - createdAt.getTime() < YOUNG_MILLIS)
    if (young.length > 0) yield* trades.settle(idsOf(young), now)
    const signatures = [...new Set(signed.map(({ txHash }) => txHash))]
    const { value } = yield* rpc.call((kit) =>
      kit.getSignatureStatuses(signatures as unknown as ReadonlyArray<Signature>, { searchTransactionHistory: true }),
    )
    const seen = new Map<string, Seen[1]>()
    for (const [index, signature] of signatures.entries()) if (value[index] != null) seen.set(signature, value[index])
    yield* statuses.settle([...seen], now)
    const unseen = signed.filter(({ txHash }) => !seen.has(txHash))
    const { known, unknown } = yield* expired.among(unseen, millis)
    yield* statuses.settle(known, now)
    if (unknown.length === 0) return
    yield* trades.settle(idsOf(unknown.map(({ record }) => record)), now)
    yield* records.expire(unknown, now)
  })

  return Effect.gen(function* () {
    if (!(yield* isOurTurn)) return
    const millis = yield* Clock.currentTimeMillis
    const newest = yield* records.page(undefined, STATUSES_MAX)
    // One page that fails must not keep the other from being asked about.
    const first = yield* Effect.result(ask(newest, millis))
    if (newest.length === STATUSES_MAX) {
      // Anybody may record transactions: however many there are, all of them are asked about in turn.
      const older = yield* records.page(turn ?? newest.at(-1), STATUSES_MAX)
      turn = older.length < STATUSES_MAX ? undefined : older.at(-1)
      yield* ask(older, millis)
    }
    if (Result.isFailure(first)) yield* Effect.fail(first.failure)
  })
})

const idsOf = (records: ReadonlyArray<Unsettled>) => records.map(({ id }) => id)
