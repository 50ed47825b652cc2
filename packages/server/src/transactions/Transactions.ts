import type { Forbidden } from "@launch-registry/domain/http/AccessErrors"
import { onlyWallet, requireWallet } from "@launch-registry/domain/access/Caller"
import { AlreadyExists } from "@launch-registry/domain/http/AlreadyExists"
import type { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { ChainContradicted } from "@launch-registry/domain/tokens/TokenErrors"
import type {
  StatusChange,
  Transaction,
  TransactionDraft,
  TransactionId,
} from "@launch-registry/domain/transactions/Transaction"
import { RecordFixed } from "@launch-registry/domain/transactions/TransactionErrors"
import type { TransactionFilter } from "@launch-registry/domain/transactions/TransactionsApi"
import { isSignature } from "@launch-registry/domain/solana/SignatureText"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { writeDays } from "@launch-registry/http/limits/WriteDays"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { rowsByKey } from "@launch-registry/postgres/RowsByKey"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { indexedTrades } from "./IndexedTrades.ts"
import { listTransactions, listTransactionsOfToken } from "./ListTransactions.ts"
import { takePlaces } from "./TradeRecords.ts"
import { type ChainAmounts, type RecordedTrade, tradeVerdict } from "./TradeVerdict.ts"
import { TRANSACTION_COLUMNS, type TransactionRow, toTransaction } from "./TransactionRow.ts"

/** Transaction records: owner of `transactions`. Deleted records are invisible. */
export class Transactions extends Context.Service<
  Transactions,
  {
    /** Pending, or success with the amounts of the chain if its trade is already indexed. The same again is the same record. */
    readonly create: (
      draft: TransactionDraft,
    ) => Effect.Effect<Transaction, LimitReached | Forbidden | ChainContradicted | AlreadyExists>
    readonly getById: (id: TransactionId) => Effect.Effect<Transaction, NotFound>
    readonly list: (filter: TransactionFilter, range: RowRange) => Effect.Effect<ReadonlyArray<TransactionRow>>
    readonly listOfToken: (token: string, range: RowRange) => Effect.Effect<ReadonlyArray<TransactionRow>>
    /**
     * Moves a pending record to a final status, on Solana until the chain has answered. Repeating the status changes
     * nothing; another status or hash is rejected, and so is what an indexed trade contradicts.
     */
    readonly updateStatus: (
      id: TransactionId,
      change: StatusChange,
    ) => Effect.Effect<Transaction, NotFound | RecordFixed | Forbidden | ChainContradicted | AlreadyExists>
    readonly remove: (id: TransactionId) => Effect.Effect<void, NotFound | Forbidden>
  }
>()("@launch-registry/server/transactions/Transactions") {
  static readonly layer = Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const ids = new UuidV7()
      const trades = indexedTrades(sql)
      const days = yield* writeDays("records_today")
      const columns = sql.literal(TRANSACTION_COLUMNS)

      const select = (ids: ReadonlyArray<string>) => sql<TransactionRow>`
        select ${columns} from transactions t where t.id = ${anyKey(sql, ids, "uuid")} and t.deleted_at is null`

      const found = (row: TransactionRow | undefined, id: TransactionId) =>
        row === undefined
          ? Effect.fail(new NotFound({ resource: "transaction", id }))
          : Effect.succeed(toTransaction(row))

      const rowById = rowsByKey<TransactionRow>(({ id }) => id, select)
      const getById = (id: TransactionId) =>
        Effect.flatMap(Effect.orDie(rowById(id.toLowerCase())), (row) => found(row, id))

      /** The same within a transaction. */
      const ownById = Effect.fnUntraced(function* (id: TransactionId) {
        const [row] = yield* Effect.orDie(select([id]))
        return yield* found(row, id)
      })

      const requireUser = (userAddress: string) => requireWallet(userAddress, "the user of the record")

      /** The user of a record never changes, so nothing can happen between this check and the write. */
      const requireUserOf = Effect.fnUntraced(function* (id: TransactionId) {
        if ((yield* onlyWallet) !== undefined) yield* requireUser((yield* ownById(id)).userAddress)
      })

      /** What the index says of a trade, if anything. A trade committed meanwhile is found by the follower or by PollStatuses. */
      const indexedVerdict = Effect.fnUntraced(function* (recorded: RecordedTrade, chain: string, txHash: string) {
        if (chain !== "solana" || !isSignature(txHash)) return undefined
        const { baseToken: baseMint, userAddress: user } = recorded
        const found = (yield* trades.newest([{ signature: txHash, baseMint, user }])).get(txHash)
        return found && tradeVerdict(recorded, found)
      })

      /** The amounts of the chain, if it has the trade that was sent. */
      const agreedAmounts = Effect.fnUntraced(function* (draft: TransactionDraft & RecordedTrade) {
        const verdict = yield* indexedVerdict(draft, draft.chain, draft.txHash)
        if (verdict?._tag === "Contradicted")
          return yield* new ChainContradicted({
            resource: "transaction",
            id: draft.txHash,
            contradictions: verdict.contradictions,
          })
        return verdict?._tag === "Agreed" ? verdict.amounts : undefined
      })

      const ofTransaction = (of: Pick<TransactionRow, "action" | "chain" | "txHash" | "userAddress">) => sql`
        t.tx_hash = ${of.txHash} and t.user_address = ${of.userAddress} and t.action = ${of.action} and t.chain = ${of.chain}
          and t.deleted_at is null`
      const isSettled = sql.literal("t.status = 'success' and not t.is_reported")
      const isSame = ({ baseToken, poolAddress, quoteToken }: RecordedTrade) =>
        sql`(t.base_token, t.quote_token, t.pool_address) = (${baseToken}, ${quoteToken}, ${poolAddress})`

      /** Anybody can write a record of another's transaction: one of another trade, which the chain has not confirmed, makes room. */
      const makeRoom = (trade: RecordedTrade & Pick<TransactionRow, "chain" | "txHash">) => sql`
        update transactions t set is_sole = false
        where ${ofTransaction(trade)} and t.is_sole and not (${isSettled}) and not (${isSame(trade)})`

      /** Records of the same trade. One that the chain has contradicted counts for nothing. */
      const known = (draft: TransactionDraft & RecordedTrade) => sql`
        ${ofTransaction(draft)} and ${isSame(draft)} and (t.is_sole or t.is_sole is false and t.status <> 'failed')`

      const recordOf = (draft: TransactionDraft & RecordedTrade) =>
        Effect.map(
          sql<TransactionRow>`
            select ${columns} from transactions t where ${known(draft)} order by t.is_sole desc limit 1`,
          ([row]) => row,
        )

      const insert = (
        draft: TransactionDraft & RecordedTrade,
        chain: ChainAmounts | undefined,
        isSole: boolean,
        millis: number,
      ) => {
        const now = new Date(millis)
        const { amountIn, amountInDecimals, amountOut, amountOutDecimals, pricePerToken } = chain ?? draft
        return sql<TransactionRow>`
          insert into transactions as t (id, user_address, tx_hash, action, base_token, quote_token,
            amount_in, amount_in_decimals, amount_out, amount_out_decimals, price_per_token, slippage_bps,
            fee, fee_decimals, fee_token, status, last_valid_block_height, chain, pool_address, created_at, updated_at, is_sole,
            quote_volume)
          select ${ids.next(millis)}, ${draft.userAddress}, ${draft.txHash}, ${draft.action}, ${draft.baseToken},
            ${draft.quoteToken}, ${amountIn}, ${amountInDecimals}, ${amountOut}, ${amountOutDecimals}, ${pricePerToken},
            ${draft.slippageBps}, ${draft.fee}, ${draft.feeDecimals ?? 0}, ${draft.feeToken},
            ${chain === undefined ? "pending" : "success"}, ${draft.lastValidBlockHeight ?? null}, ${draft.chain},
            ${draft.poolAddress}, ${now}, ${now}, ${isSole},
            ${chain?.quoteVolume ?? null}
          where not exists (select from transactions t where ${known(draft)})
          on conflict (tx_hash, user_address, action, chain) where is_sole and deleted_at is null do nothing
          returning ${columns}`.pipe(Effect.map(([row]) => row))
      }

      type Refusal = LimitReached | ChainContradicted | AlreadyExists | SqlError

      const record = (draft: TransactionDraft & RecordedTrade): Effect.Effect<Transaction, Refusal> =>
        Effect.gen(function* () {
          const amounts = yield* Effect.result(agreedAmounts(draft))
          const millis = yield* Clock.currentTimeMillis
          const add = (isSole: boolean) =>
            Effect.flatMap(Effect.fromResult(amounts), (chain) => days.counting(insert(draft, chain, isSole, millis)))
          if (Result.isSuccess(amounts)) {
            if (amounts.success !== undefined) yield* makeRoom(draft)
            const made = yield* add(true)
            if (made !== undefined) return toTransaction(made)
          }
          // Whoever recorded an estimate before the trade was indexed gets the record, whatever has become of it.
          const row = yield* recordOf(draft)
          if (row !== undefined) return toTransaction(row)
          const [other] = yield* sql<{ readonly id: string }>`
            select t.id from transactions t where ${ofTransaction(draft)} and t.is_sole and ${isSettled}`
          if (Result.isSuccess(amounts) && other !== undefined)
            return yield* new AlreadyExists({ resource: "transaction", id: other.id })
          // Beside one of another trade, until the chain has said which is true. Locked: of two at once, the later one finds the first.
          const place = sql`select from transactions t where ${ofTransaction(draft)} and t.is_sole for no key update`
          const beside = yield* sql.withTransaction(Effect.andThen(place, add(false)))
          // Otherwise it was recorded in the meantime.
          return beside === undefined ? yield* record(draft) : toTransaction(beside)
        })

      const create = Effect.fn("Transactions.create")(function* (draft: TransactionDraft) {
        yield* requireUser(draft.userAddress)
        const { amountInDecimals = 0, amountOutDecimals = 0 } = draft
        return yield* Effect.catchTag(record({ ...draft, amountInDecimals, amountOutDecimals }), "SqlError", Effect.die)
      })

      /** What a report comes to: its record as it is then, undefined where it is not pending. */
      const report = Effect.fnUntraced(function* (id: TransactionId, change: StatusChange, updatedAt: Date) {
        // Locked: of two racing reports only one finds the record pending.
        const [pending] = yield* sql<TransactionRow & RecordedTrade>`
          select ${columns} from transactions t
          where t.id = ${id}::uuid and t.status = 'pending' and t.action in ('BUY', 'SELL') and t.deleted_at is null
          for update`
        if (pending === undefined) return undefined
        const txHash = change.txHash ?? pending.txHash
        const verdict = yield* indexedVerdict(pending, pending.chain, txHash)
        if (change.status === "failed" && verdict?._tag === "Agreed")
          return yield* new ChainContradicted({
            resource: "transaction",
            id: txHash,
            contradictions: [{ field: "status", onChain: "success", sent: "failed" }],
          })
        if (change.status === "success" && verdict?._tag === "Contradicted")
          return yield* new ChainContradicted({
            resource: "transaction",
            id: txHash,
            contradictions: verdict.contradictions,
          })
        if (verdict?._tag === "Agreed") yield* makeRoom({ ...pending, txHash })
        const known = verdict?._tag === "Agreed" ? verdict.amounts : {}
        const isReported = pending.chain === "solana" && verdict?._tag !== "Agreed"
        const [moved] = yield* sql<TransactionRow>`
          update transactions t set ${sql.update({ ...change, ...known, updatedAt, isReported })}
          where t.id = ${id}::uuid returning ${columns}`
        if (verdict?._tag === "Agreed") yield* takePlaces(sql, [id])
        return moved
      })

      const updateStatus = Effect.fn("Transactions.updateStatus")(function* (id: TransactionId, change: StatusChange) {
        yield* requireUserOf(id)
        const updatedAt = new Date(yield* Clock.currentTimeMillis)
        const moved = yield* report(id, change, updatedAt).pipe(
          sql.withTransaction,
          Effect.catchIf(isUniqueViolation, () => otherRecord(id, change)),
          Effect.catchTag("SqlError", Effect.die),
        )
        if (moved !== undefined) return toTransaction(moved)
        const record = yield* ownById(id)
        const { action, status, txHash } = record
        const fixed = (reason: string) => new RecordFixed({ id, status, reason })
        if (action === "BRIDGE") return yield* fixed("is a cross-chain swap: the service updates its status")
        if (action === "DEPLOY") return yield* fixed("is a launch: the service updates its status")
        if (status !== change.status) return yield* fixed(`has already ended as ${status}`)
        if (change.txHash !== undefined && change.txHash !== txHash)
          return yield* fixed(`has already ended with the hash ${txHash}: ${change.txHash} cannot replace it`)
        return record
      })

      /** The hash that was reported is that of another record. */
      const otherRecord = Effect.fnUntraced(function* (id: TransactionId, { txHash = "" }: StatusChange) {
        const { action, chain, userAddress } = yield* ownById(id)
        const [other] = yield* sql<{ readonly id: string }>`
          select id from transactions where tx_hash = ${txHash} and user_address = ${userAddress} and action = ${action}
            and chain = ${chain} and is_sole and deleted_at is null`
        return yield* new AlreadyExists({ resource: "transaction", id: other?.id ?? id })
      })

      const remove = Effect.fn("Transactions.remove")(function* (id: TransactionId) {
        yield* requireUserOf(id)
        const deletedAt = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* sql`
          update transactions set deleted_at = ${deletedAt}
          where id = ${id}::uuid and deleted_at is null returning id`.pipe(Effect.orDie)
        if (rows.length === 0) return yield* new NotFound({ resource: "transaction", id })
      })

      return Transactions.of({
        create,
        getById,
        list: (filter, range) => Effect.orDie(listTransactions(sql, filter, range)),
        listOfToken: (token, range) => Effect.orDie(listTransactionsOfToken(sql, token, range)),
        updateStatus,
        remove,
      })
    }),
  )
}

const isUniqueViolation = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "UniqueViolation"
