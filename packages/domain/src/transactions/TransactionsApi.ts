import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AlreadyExists } from "../http/AlreadyExists.ts"
import { describe, revalidated } from "../http/Describe.ts"
import { Data, Deleted, Pagination } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { NotFound } from "../http/NotFound.ts"
import { pageFields, pagingFields } from "../http/Paging.ts"
import { ChainContradicted } from "../tokens/TokenErrors.ts"
import { RecordToken, RecordUser } from "./RecordText.ts"
import {
  Chain,
  StatusChange,
  Transaction,
  TransactionAction,
  TransactionDraft,
  TransactionId,
  TransactionStatus,
} from "./Transaction.ts"
import { RecordFixed } from "./TransactionErrors.ts"

/** Transaction endpoints have their payload under `transaction` or `transactions`, not `data`. */
const success = field(Schema.Literal(true), "true: the request succeeded")
const One = Schema.Struct({ success, transaction: Transaction })
const Many = Schema.Struct({
  success,
  transactions: field(Schema.Array(Transaction), "The records, newest first"),
  pagination: Schema.optionalKey(Pagination),
})

/** Filters of a list of transaction records. */
export const TransactionFilter = Schema.Struct({
  userAddress: Schema.optionalKey(field(RecordUser, "Only records of this wallet")),
  action: Schema.optionalKey(field(TransactionAction, "Only records of this action")),
  baseToken: Schema.optionalKey(field(RecordToken, "Only records with this base token")),
  quoteToken: Schema.optionalKey(field(RecordToken, "Only records with this quote token")),
  status: Schema.optionalKey(field(TransactionStatus, "Only records in this status")),
  chain: Schema.optionalKey(field(Chain, "Only records of this chain, such as solana, in any case")),
})
export type TransactionFilter = typeof TransactionFilter.Type

const byId = { id: field(TransactionId, "Id of the record, a UUID; GET /api/transactions lists them") }

/** `/api/transactions`. */
export class TransactionsApi extends HttpApiGroup.make("transactions")
  .add(
    HttpApiEndpoint.post("create", "/", {
      headers: idempotencyHeaders,
      payload: TransactionDraft,
      success: One.pipe(HttpApiSchema.status(201)),
      error: [ChainContradicted.response, AlreadyExists.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Record a transaction",
          "Records a trade that a client sent, as pending, or as success if the trade is already indexed. Amounts may be numbers or decimal strings; both are stored exactly. The service tracks transactions on Solana: the record gets the outcome on chain, with its amounts, or fails when the transaction can no longer land or holds another trade. What an indexed trade contradicts is rejected (409), but for amounts. The same trade again answers its record; another one of the same user, transaction and action is rejected (409) once that is confirmed. On other chains the client reports the outcome.",
        ),
      ),
    HttpApiEndpoint.get("list", "/", {
      query: { ...TransactionFilter.fields, ...pageFields },
      success: Many,
    })
      .annotateMerge(revalidated)
      .annotateMerge(describe("List transactions", "Newest first, as a page; `limit` is 100 by default.")),
    HttpApiEndpoint.get("listByUser", "/user/:address", {
      params: { address: field(RecordUser, "Wallet of the user") },
      query: pagingFields,
      success: Many,
    })
      .annotateMerge(revalidated)
      .annotateMerge(
        describe(
          "List the transactions of a user",
          "Newest first. With `limit` the response is a page; without it the whole list is streamed.",
        ),
      ),
    HttpApiEndpoint.get("listByToken", "/token/:address", {
      params: { address: field(RecordToken, "Mint of the token, or asset id of a cross-chain swap") },
      query: pagingFields,
      success: Many,
    })
      .annotateMerge(revalidated)
      .annotateMerge(
        describe(
          "List the transactions of a token",
          "Records with the token as base or quote token, newest first. With `limit` the response is a page; without it the whole list is streamed.",
        ),
      ),
    HttpApiEndpoint.get("getById", "/:id", {
      params: byId,
      success: One,
      error: [NotFound.response],
    })
      .annotateMerge(describe("Read a transaction", "The record in its current state."))
      .annotateMerge(revalidated),
    HttpApiEndpoint.patch("updateStatus", "/:id/status", {
      params: byId,
      payload: StatusChange,
      success: One,
      error: [NotFound.response, RecordFixed.response, ChainContradicted.response, AlreadyExists.response],
    }).annotateMerge(
      describe(
        "Report the outcome of a transaction",
        "Moves a record from pending to success or failed. The same status with the same hash, or without one, changes nothing; another hash or status is rejected (409), and so is what an indexed trade contradicts. On Solana, the outcome that the service later finds on chain replaces the reported one, and a reported success becomes failed when the transaction can no longer land, or has no signature an hour after it was recorded.",
      ),
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: byId,
      success: Data(Deleted),
      error: [NotFound.response],
    }).annotateMerge(
      describe("Delete a transaction", "The record is no longer returned. The transaction itself stays on its chain."),
    ),
  )
  .prefix("/api/transactions")
  .annotateMerge(
    OpenApi.annotations({
      title: "Transactions",
      description: "Trades that clients record, and launches and cross-chain swaps that the service records",
    }),
  ) {}
