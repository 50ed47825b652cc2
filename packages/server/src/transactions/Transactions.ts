import type { Forbidden } from "@launch-registry/domain/access/AccessErrors"
import { onlyWallet, requireWallet } from "@launch-registry/domain/access/Caller"
import type {
  StatusChange,
  Transaction,
  TransactionDraft,
  TransactionId,
} from "@launch-registry/domain/transactions/Transaction"
import {
  StatusAlreadyFinal,
  StatusFollowed,
  TransactionHashFixed,
  TransactionNotFound,
} from "@launch-registry/domain/transactions/TransactionErrors"
import type { TooManyRecordsToday } from "@launch-registry/domain/http/LimitErrors"
import type { TransactionFilter } from "@launch-registry/domain/transactions/TransactionsApi"
import { isSignature } from "@launch-registry/solana/SignatureText"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import type { Listed } from "@launch-registry/postgres/ListRows"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { type KeyVersion, rowsByKey, rowVersions } from "@launch-registry/postgres/RowsByKey"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { regularly } from "@launch-registry/postgres/Regularly"
import { indexedTrades } from "./IndexedTrades.ts"
import { listTransactions, listTransactionsOfToken } from "./ListTransactions.ts"
import { recordDays } from "./RecordDays.ts"
import { TRANSACTION_COLUMNS, type TransactionRow, toTransaction } from "./TransactionRow.ts"

const FORGET_MILLIS = 3_600_000

/** Transaction records: owner of `transactions`. Deleted records are invisible. */
export class Transactions extends Context.Service<
  Transactions,
  {
    /** Pending, or success if its trade is already indexed. */
    readonly create: (draft: TransactionDraft) => Effect.Effect<Transaction, TooManyRecordsToday | Forbidden>
    readonly getById: (id: TransactionId) => Effect.Effect<Transaction, TransactionNotFound>
    /** The version of what `getById` answers; undefined without a record. */
    readonly versionOf: (id: TransactionId) => Effect.Effect<string | undefined>
    readonly list: (filter: TransactionFilter, range: RowRange) => Effect.Effect<Listed<TransactionRow, Date>>
    readonly listOfToken: (token: string, range: RowRange) => Effect.Effect<ReadonlyArray<TransactionRow>>
    /**
     * Moves a pending record to a final status, on Solana until the chain has answered. Repeating the status changes
     * nothing; another status or hash is rejected.
     */
    readonly updateStatus: (
      id: TransactionId,
      change: StatusChange,
    ) => Effect.Effect<
      Transaction,
      TransactionNotFound | StatusAlreadyFinal | TransactionHashFixed | StatusFollowed | Forbidden
    >
    readonly remove: (id: TransactionId) => Effect.Effect<void, TransactionNotFound | Forbidden>
  }
>()("@launch-registry/server/transactions/Transactions") {
  static readonly layer = Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const ids = new UuidV7()
      const trades = indexedTrades(sql)
      const days = yield* recordDays
      if (days.isOn) yield* Effect.forkScoped(regularly("Forgetting record days", FORGET_MILLIS, days.forget))
      const columns = sql.literal(TRANSACTION_COLUMNS)

      const select = (ids: ReadonlyArray<string>) => sql<TransactionRow>`
        select ${columns} from transactions t where t.id = ${anyKey(sql, ids, "uuid")} and t.deleted_at is null`

      const found = (row: TransactionRow | undefined, id: TransactionId) =>
        row === undefined ? Effect.fail(new TransactionNotFound({ id })) : Effect.succeed(toTransaction(row))

      const rowById = rowsByKey<TransactionRow>(({ id }) => id, select)
      const getById = (id: TransactionId) =>
        Effect.flatMap(Effect.orDie(rowById(id.toLowerCase())), (row) => found(row, id))

      /** The same within a transaction. */
      const ownById = Effect.fnUntraced(function* (id: TransactionId) {
        const [row] = yield* Effect.orDie(select([id]))
        return yield* found(row, id)
      })

      const versionOf = rowVersions(
        (ids) => sql<KeyVersion>`
          select t.id as key, concat_ws(' ', t.xmin, extract(epoch from t.updated_at)) as version
          from transactions t where t.id = ${anyKey(sql, ids, "uuid")} and t.deleted_at is null`,
      )

      const requireUser = (userAddress: string) => requireWallet(userAddress, "the user of the record")

      /** The user of a record never changes, so nothing can happen between this check and the write. */
      const requireUserOf = Effect.fnUntraced(function* (id: TransactionId) {
        if ((yield* onlyWallet) !== undefined) yield* requireUser((yield* ownById(id)).userAddress)
      })

      const create = Effect.fn("Transactions.create")(function* (draft: TransactionDraft) {
        yield* requireUser(draft.userAddress)
        const millis = yield* Clock.currentTimeMillis
        const now = new Date(millis)
        // Checked within the insert; a trade committed meanwhile is found by the follower or by PollStatuses.
        const status =
          draft.chain === "solana" && isSignature(draft.txHash)
            ? sql`case when ${trades.includes(draft.baseToken, draft.txHash)} then 'success' else 'pending' end`
            : sql`'pending'`
        const [row] = yield* sql<TransactionRow>`
          insert into transactions as t (id, user_address, tx_hash, action, base_token, quote_token,
            amount_in, amount_in_decimals, amount_out, amount_out_decimals, price_per_token, slippage_bps,
            fee, fee_decimals, fee_token, status, last_valid_block_height, chain, pool_address, created_at, updated_at)
          values (${ids.next(millis)}, ${draft.userAddress}, ${draft.txHash}, ${draft.action}, ${draft.baseToken},
            ${draft.quoteToken}, ${draft.amountIn}, ${draft.amountInDecimals ?? 0}, ${draft.amountOut},
            ${draft.amountOutDecimals ?? 0}, ${draft.pricePerToken}, ${draft.slippageBps}, ${draft.fee},
            ${draft.feeDecimals ?? 0}, ${draft.feeToken}, ${status}, ${draft.lastValidBlockHeight ?? null},
            ${draft.chain}, ${draft.poolAddress}, ${now}, ${now})
          returning ${columns}`.pipe(days.counting, Effect.catchTag("SqlError", Effect.die))
        return toTransaction(row!)
      })

      const updateStatus = Effect.fn("Transactions.updateStatus")(function* (id: TransactionId, change: StatusChange) {
        yield* requireUserOf(id)
        const updatedAt = new Date(yield* Clock.currentTimeMillis)
        // The condition is part of the statement: of two racing updates only one finds the record pending.
        const [moved] = yield* sql<TransactionRow>`
          update transactions t set ${sql.update({ ...change, updatedAt })}, is_reported = t.chain = 'solana'
          where t.id = ${id}::uuid and t.status = 'pending' and t.action in ('BUY', 'SELL') and t.deleted_at is null
          returning ${columns}`.pipe(Effect.orDie)
        if (moved !== undefined) return toTransaction(moved)
        const record = yield* ownById(id)
        const { action, status, txHash } = record
        if (action === "BRIDGE" || action === "DEPLOY") return yield* new StatusFollowed({ id, action })
        if (status !== change.status) return yield* new StatusAlreadyFinal({ id, status })
        if (change.txHash !== undefined && change.txHash !== txHash)
          return yield* new TransactionHashFixed({ id, txHash, sentTxHash: change.txHash })
        return record
      })

      const remove = Effect.fn("Transactions.remove")(function* (id: TransactionId) {
        yield* requireUserOf(id)
        const deletedAt = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* sql`
          update transactions set deleted_at = ${deletedAt}
          where id = ${id}::uuid and deleted_at is null returning id`.pipe(Effect.orDie)
        if (rows.length === 0) return yield* new TransactionNotFound({ id })
      })

      return Transactions.of({
        create,
        getById,
        versionOf: (id) => Effect.orDie(versionOf(id.toLowerCase())),
        list: (filter, range) => Effect.orDie(listTransactions(sql, filter, range)),
        listOfToken: (token, range) => Effect.orDie(listTransactionsOfToken(sql, token, range)),
        updateStatus,
        remove,
      })
    }),
  )
}
