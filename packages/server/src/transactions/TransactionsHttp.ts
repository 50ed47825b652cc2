import { Api } from "@launch-registry/domain/Api"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { newestFirst } from "@launch-registry/http/answers/Cursor"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { positionOf, type TransactionRow, toTransaction } from "./TransactionRow.ts"
import { Transactions } from "./Transactions.ts"

const toListRows = (rows: ReadonlyArray<TransactionRow>) =>
  rows.map((row) => ({ item: toTransaction(row), position: positionOf(row) }))

const { respond, respondList, respondRead } = answersOf("transactions")

/** Handlers of `/api/transactions`. */
export const TransactionsHttp = HttpApiBuilder.group(
  Api,
  "transactions",
  Effect.fn(function* (handlers) {
    const transactions = yield* Transactions
    const requests = yield* IdempotentRequests
    return withJsonBodies(handlers).handleAll({
      create: ({ payload }) =>
        requests.commit(Effect.map(transactions.create(payload), (transaction) => respond("create", { transaction }))),
      list: ({ query }) =>
        respondList("list", {
          key: "transactions",
          paging: query,
          cursor: newestFirst("transactions", query),
          defaultLimit: PAGE_LIMIT,
          read: (range) => Effect.map(transactions.list(query, range), toListRows),
        }),
      listByUser: ({ params, query }) =>
        respondList("listByUser", {
          key: "transactions",
          paging: query,
          cursor: newestFirst("transactions of a user", params.address),
          read: (range) => Effect.map(transactions.list({ userAddress: params.address }, range), toListRows),
        }),
      listByToken: ({ params, query }) =>
        respondList("listByToken", {
          key: "transactions",
          paging: query,
          cursor: newestFirst("transactions of a token", params.address),
          read: (range) => Effect.map(transactions.listOfToken(params.address, range), toListRows),
        }),
      getById: ({ params, request }) =>
        respondRead(
          "getById",
          request,
          Effect.map(transactions.getById(params.id), (transaction) => ({ transaction })),
        ),
      updateStatus: ({ params, payload }) =>
        Effect.map(transactions.updateStatus(params.id, payload), (transaction) =>
          respond("updateStatus", { transaction }),
        ),
      remove: ({ params }) =>
        Effect.map(transactions.remove(params.id), () =>
          respond("remove", { data: { deleted: true }, message: "Transaction deleted" }),
        ),
    } satisfies Answering<"transactions">)
  }),
)
