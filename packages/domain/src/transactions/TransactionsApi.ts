import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { Data, Deleted, Pagination } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { ListsBusy } from "../http/LimitErrors.ts"
import { pageFields, pagingFields } from "../http/Paging.ts"
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
import { StatusAlreadyFinal, StatusFollowed, TransactionHashFixed, TransactionNotFound } from "./TransactionErrors.ts"

/** Transaction endpoints carry their payload under `transaction` or `transactions` (specification, section 1). */
const success = field(Schema.Literal(true), "true: the request succeeded")
const One = Schema.Struct({ success, transaction: Transaction })
const Many = Schema.Struct({
  success,
  transactions: field(Schema.Array(Transaction), "The records, newest first"),
  pagination: Schema.optionalKey(Pagination),
})

/** What narrows a list of transaction records. */
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

/** `/api/transactions` (specification, section 4). */
export class TransactionsApi extends HttpApiGroup.make("transactions")
  .add(
    HttpApiEndpoint.post("create", "/", {
      headers: idempotencyHeaders,
      payload: TransactionDraft,
      success: One.pipe(HttpApiSchema.status(201)),
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Record a transaction",
          "Records a trade that a client sent, as pending; one whose trade is indexed already is success at once. Amounts may be numbers or decimal strings, both stored exactly. The service follows transactions on Solana: they end as the chain says, or fail when they can no longer land. On other chains the client reports the end.",
        ),
      ),
    HttpApiEndpoint.get("list", "/", {
      query: { ...TransactionFilter.fields, ...pageFields },
      success: Many,
      error: [ListsBusy.response],
    }).annotateMerge(describe("List transactions", "Newest first, as a page; `limit` is 100 when left out.")),
    HttpApiEndpoint.get("listByUser", "/user/:address", {
      params: { address: field(RecordUser, "Wallet of the user") },
      query: pagingFields,
      success: Many,
      error: [ListsBusy.response],
    }).annotateMerge(
      describe(
        "List the transactions of a user",
        "Newest first. With `limit` the answer is a page; without it the whole list is streamed.",
      ),
    ),
    HttpApiEndpoint.get("listByToken", "/token/:address", {
      params: { address: field(RecordToken, "Mint of the token, or asset id of one that was swapped across chains") },
      query: pagingFields,
      success: Many,
      error: [ListsBusy.response],
    }).annotateMerge(
      describe(
        "List the transactions of a token",
        "Records with the token as base or quote token, newest first. With `limit` the answer is a page; without it the whole list is streamed.",
      ),
    ),
    HttpApiEndpoint.get("getById", "/:id", {
      params: byId,
      success: One,
      error: [TransactionNotFound.response],
    })
      .annotateMerge(describe("Read a transaction", "The record as it stands, with how its transaction ended."))
      .annotateMerge(revalidated),
    HttpApiEndpoint.patch("updateStatus", "/:id/status", {
      params: byId,
      payload: StatusChange,
      success: One,
      error: [
        TransactionNotFound.response,
        StatusAlreadyFinal.response,
        TransactionHashFixed.response,
        StatusFollowed.response,
      ],
    }).annotateMerge(
      describe(
        "Report how a transaction ended",
        "Moves a record from pending to success or failed. The same status with the same hash, or without one, changes nothing; another hash or status is refused (409). On Solana the chain has the last word: what the service sees there later replaces what was reported.",
      ),
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: byId,
      success: Data(Deleted),
      error: [TransactionNotFound.response],
    }).annotateMerge(
      describe("Delete a transaction", "No read answers the record any more. The transaction itself is on its chain."),
    ),
  )
  .prefix("/api/transactions")
  .annotateMerge(
    OpenApi.annotations({
      title: "Transactions",
      description:
        "Transactions that clients record: trades, and what the service adds of launches and swaps across chains",
    }),
  ) {}
