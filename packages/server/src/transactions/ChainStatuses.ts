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
/** Until then a transaction can land: its blockhash is good for 150 blocks. Later ones are looked up less often. */
const YOUNG_MILLIS = 3 * 60_000
const ASK_EVERY_SECONDS = 5
/** Of older records, one round in so many asks. */
const OLD_ROUNDS = 12
const OLD_MILLIS = 24 * 3_600_000

/** What the chain says of recorded transactions; what it says wins over what clients said. */
export const chainStatuses = (sql: SqlClient) => {
  const settle = (hashes: ReadonlyArray<string>, status: "success" | "failed", now: Date) => sql`
    update transactions set status = ${status}, updated_at = ${now}
    where tx_hash = any(${hashes}::text[]) and chain = ${CHAIN} and status <> ${status} and deleted_at is null`

  const follow = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    const landed = changes.flatMap((change) => (change.type === "trade" ? [change.signature] : []))
    if (landed.length > 0) yield* settle(landed, "success", new Date(yield* Clock.currentTimeMillis))
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
  let round = 0

  const pending = (since: Date) => sql<{ readonly txHash: string }>`
    select tx_hash from transactions
    where status = 'pending' and action in ('BUY', 'SELL', 'DEPLOY') and chain = ${CHAIN} and created_at > ${since}
      and deleted_at is null
    order by created_at desc, id desc limit ${STATUSES_MAX}`

  const isOurTurn = Effect.map(
    sql`
      update registry_progress set statuses_asked_at = now()
      where statuses_asked_at < now() - make_interval(secs => ${ASK_EVERY_SECONDS}::integer) returning id`,
    (rows) => rows.length > 0,
  )

  return Effect.gen(function* () {
    if (!(yield* isOurTurn)) return
    const now = yield* Clock.currentTimeMillis
    const reach = round++ % OLD_ROUNDS === 0 ? OLD_MILLIS : YOUNG_MILLIS
    const hashes = (yield* pending(new Date(now - reach))).map(({ txHash }) => txHash)
    const signatures = [...new Set(hashes.filter(isSignature))]
    if (signatures.length === 0) return
    const { value } = yield* rpc.call((kit) =>
      kit.getSignatureStatuses(signatures as unknown as ReadonlyArray<Signature>, { searchTransactionHistory: true }),
    )
    const isSettled = (index: number) => (value[index]?.confirmationStatus ?? "processed") !== "processed"
    const of = (hasFailed: boolean) =>
      signatures.filter((_, index) => isSettled(index) && (value[index]!.err !== null) === hasFailed)
    yield* statuses.settle(of(false), "success", new Date(now))
    yield* statuses.settle(of(true), "failed", new Date(now))
  })
})
