import { Api } from "@launch-registry/domain/Api"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answerList, answerPage } from "../http/AnswerList.ts"
import { newestFirst } from "../http/Cursor.ts"
import { IdempotentRequests } from "../http/IdempotentRequests.ts"
import { respondData, respondResource } from "../http/Respond.ts"
import { positionOf, type TransactionRow, toTransaction } from "./TransactionRow.ts"
import { Transactions } from "./Transactions.ts"

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
        answerPage({
          key: "transactions",
          paging: query,
          cursor: newestFirst("transactions"),
          defaultLimit: PAGE_LIMIT,
          read: (stretch) => Effect.map(transactions.list(query, stretch), (rows) => rows.map(toListRow)),
        }),
      listByUser: ({ params, query }) =>
        answerList({
          key: "transactions",
          paging: query,
          cursor: newestFirst("transactions of a user", params.address),
          read: (stretch) =>
            Effect.map(transactions.list({ userAddress: params.address }, stretch), (rows) => rows.map(toListRow)),
        }),
      listByToken: ({ params, query }) =>
        answerList({
          key: "transactions",
          paging: query,
          cursor: newestFirst("transactions of a token", params.address),
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
