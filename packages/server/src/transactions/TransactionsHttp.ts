import { Api } from "@launch-registry/domain/Api"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answerList } from "../http/AnswerList.ts"
import { IdempotentRequests } from "../http/IdempotentRequests.ts"
import { respondData, respondResource } from "../http/Respond.ts"
import { positionOf, type TransactionRow, toTransaction } from "./TransactionRow.ts"
import { Transactions } from "./Transactions.ts"

/** Page size of `GET /api/transactions`, which says so in its `pagination`. */
const LIST_LIMIT = 100

const toListRow = (row: TransactionRow) => ({ item: toTransaction(row), position: positionOf(row) })

const respondOne = (transaction: unknown, status = 200) =>
  HttpServerResponse.jsonUnsafe({ success: true, transaction }, { status })

/** Handlers of `/api/transactions`. */
export const TransactionsHttp = HttpApiBuilder.group(
  Api,
  "transactions",
  Effect.fn(function* (handlers) {
    const transactions = yield* Transactions
    const requests = yield* IdempotentRequests
    return handlers.handleAll({
      create: ({ payload }) =>
        requests.commit(Effect.map(transactions.create(payload), (record) => respondOne(record, 201))),
      list: ({ query }) =>
        answerList({
          key: "transactions",
          paging: query,
          defaultLimit: LIST_LIMIT,
          read: (stretch) => Effect.map(transactions.list(query, stretch), (rows) => rows.map(toListRow)),
        }),
      listByUser: ({ params, query }) =>
        answerList({
          key: "transactions",
          paging: query,
          read: (stretch) =>
            Effect.map(transactions.list({ userAddress: params.address }, stretch), (rows) => rows.map(toListRow)),
        }),
      listByToken: ({ params, query }) =>
        answerList({
          key: "transactions",
          paging: query,
          read: (stretch) =>
            Effect.map(transactions.listOfToken(params.address, stretch), (rows) => rows.map(toListRow)),
        }),
      getById: ({ params, request }) =>
        Effect.map(transactions.getById(params.id), (transaction) =>
          respondResource(request, { success: true, transaction }),
        ),
      updateStatus: ({ params, payload }) =>
        Effect.map(transactions.updateStatus(params.id, payload), (record) => respondOne(record)),
      remove: ({ params }) =>
        Effect.map(transactions.remove(params.id), () => respondData({ deleted: true }, "Transaction deleted")),
    })
  }),
)
