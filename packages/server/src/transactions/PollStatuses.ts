import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { isSignature } from "@launch-registry/domain/solana/SignatureText"
import type { Signature } from "@solana/kit"
import { Clock, Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { takeTurn } from "../system/Turn.ts"
import { chainStatuses, type Seen } from "./ChainStatuses.ts"
import { expiredRecords } from "./ExpiredRecords.ts"
import { settleTrades } from "./SettleTrades.ts"
import { type UnsettledRecord, unsettledRecords } from "./UnsettledRecords.ts"

/** Maximum of `getSignatureStatuses`. */
const STATUSES_MAX = 256
export const POLL_MILLIS = 5_000
/** A replica that comes a little early still takes its turn. */
const ASK_EVERY_SECONDS = 4
/** A record younger than this may have been inserted while its trade was being applied. */
const YOUNG_MILLIS = 30_000

/**
 * Polls the chain for the status of pending records, and of those that a client reported. The index only reports trades:
 * not transactions that failed or never landed, nor those that were recorded after they landed. What has landed and is not
 * indexed is read from the chain. One replica polls at a time.
 *
 * No record misses its trade. If the trade is committed before the record's insert begins, the insert sees it. If it is
 * committed later, the follower of the index settles the record if it sees it by then. Otherwise the record is
 * committed after its trade: it is compared with `trades` here while it is young, and again before it expires.
 */
export const pollStatuses = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rpc = yield* Rpc
  const statuses = chainStatuses(sql)
  const records = unsettledRecords(sql)
  const trades = settleTrades(sql)
  const expired = expiredRecords(rpc)
  let turn: UnsettledRecord | undefined

  const ask = Effect.fnUntraced(function* (page: ReadonlyArray<UnsettledRecord>, millis: number) {
    const now = new Date(millis)
    const unsigned = expired.unsigned(page, millis)
    if (unsigned.length > 0) yield* records.expire(unsigned, now)
    const signed = page.filter(({ txHash }) => isSignature(txHash))
    if (signed.length === 0) return
    const young = signed.filter(({ createdAt }) => millis - createdAt.getTime() < YOUNG_MILLIS)
    if (young.length > 0) yield* trades.newest(hashesOf(young), now)
    const signatures = [...new Set(signed.map(({ txHash }) => txHash))]
    const { value } = yield* rpc.call((kit) =>
      kit.getSignatureStatuses(signatures as unknown as ReadonlyArray<Signature>, { searchTransactionHistory: true }),
    )
    const seen = new Map<string, Seen[1]>()
    for (const [index, signature] of signatures.entries()) if (value[index] != null) seen.set(signature, value[index])
    const landed = yield* statuses.settle([...seen], now)
    yield* trades.landedOnChain(rpc, landed, now)
    const unseen = signed.filter(({ txHash }) => !seen.has(txHash))
    const { known, unknown } = yield* expired.among(unseen, millis)
    yield* trades.landedOnChain(rpc, yield* statuses.settle(known, now), now)
    if (unknown.length === 0) return
    yield* trades.newest(hashesOf(unknown.map(({ record }) => record)), now)
    yield* records.expire(unknown, now)
  })

  return Effect.gen(function* () {
    if (!(yield* takeTurn(sql, "statuses", ASK_EVERY_SECONDS))) return
    const millis = yield* Clock.currentTimeMillis
    const newest = yield* records.page(undefined, STATUSES_MAX)
    // A failure of one page must not stop the other.
    const first = yield* Effect.result(ask(newest, millis))
    if (newest.length === STATUSES_MAX) {
      // Anyone can record transactions, so older pages are polled in rotation.
      const older = yield* records.page(turn ?? newest.at(-1), STATUSES_MAX)
      turn = older.length < STATUSES_MAX ? undefined : older.at(-1)
      yield* ask(older, millis)
    }
    if (Result.isFailure(first)) yield* Effect.fail(first.failure)
  })
})

const hashesOf = (records: ReadonlyArray<UnsettledRecord>) => [...new Set(records.map(({ txHash }) => txHash))]
