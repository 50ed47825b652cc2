import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { Data, Deleted, Pagination } from "../http/Envelope.ts"
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
const One = Schema.Struct({ success: Schema.Literal(true), transaction: Transaction })
const Many = Schema.Struct({
  success: Schema.Literal(true),
  transactions: Schema.Array(Transaction),
  pagination: Schema.optionalKey(Pagination),
})

/** What narrows a list of transaction records. */
export const TransactionFilter = Schema.Struct({
  userAddress: Schema.optionalKey(RecordUser),
  action: Schema.optionalKey(TransactionAction),
  baseToken: Schema.optionalKey(RecordToken),
  quoteToken: Schema.optionalKey(RecordToken),
  status: Schema.optionalKey(TransactionStatus),
  chain: Schema.optionalKey(Chain),
})
export type TransactionFilter = typeof TransactionFilter.Type

const byId = { id: TransactionId }

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
          "Amounts may be numbers or decimal strings; both are kept exactly. Records of Solana end as the chain says, and fail when their transaction can no longer land and no RPC node in use knows it; one whose trade the service has already seen is answered as success. Records of other chains end as clients say.",
        ),
      ),
    HttpApiEndpoint.get("list", "/", {
      query: { ...TransactionFilter.fields, ...pageFields },
      success: Many,
      error: [ListsBusy.response],
    }).annotateMerge(describe("List transactions", "Newest first; 100 without `limit`.")),
    HttpApiEndpoint.get("listByUser", "/user/:address", {
      params: { address: RecordUser },
      query: pagingFields,
      success: Many,
      error: [ListsBusy.response],
    }).annotateMerge(
      describe("List the transactions of a user", "Newest first. Without `limit` the whole list is streamed."),
    ),
    HttpApiEndpoint.get("listByToken", "/token/:address", {
      params: { address: RecordToken },
      query: pagingFields,
      success: Many,
      error: [ListsBusy.response],
    }).annotateMerge(
      describe(
        "List the transactions of a token",
        "Where it is base or quote token; newest first. Without `limit` the whole list is streamed.",
      ),
    ),
    HttpApiEndpoint.get("getById", "/:id", {
      params: byId,
      success: One,
      error: [TransactionNotFound.response],
    })
      .annotateMerge(describe("Read a transaction"))
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
        "Move the status of a transaction",
        "From pending to success or failed. The same status again, with the same hash or none, changes nothing; with another hash it is refused. On Solana what the chain says later wins.",
      ),
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: byId,
      success: Data(Deleted),
      error: [TransactionNotFound.response],
    }).annotateMerge(describe("Delete a transaction")),
  )
  .prefix("/api/transactions")
  .annotateMerge(OpenApi.annotations({ title: "Transactions", description: "Trades as clients record them" })) {}
