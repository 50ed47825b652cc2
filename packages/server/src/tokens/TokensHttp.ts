import { Holders } from "@launch-registry/chain/launch/Holders"
import { Api } from "@launch-registry/domain/Api"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answerList } from "../http/AnswerList.ts"
import { IdempotentRequests } from "../http/IdempotentRequests.ts"
import { respondData, respondResource } from "../http/Respond.ts"
import { positionOf, type TokenRow, toToken } from "./TokenRow.ts"
import { holderPage } from "./HolderPages.ts"
import { SEARCH_RANKS } from "./SearchTokens.ts"
import { Tokens } from "./Tokens.ts"

const POPULAR_LIMIT = 10

const toListRow = (row: TokenRow) => ({ item: toToken(row), position: positionOf(row) })

/** Handlers of `/api/tokens`. */
export const TokensHttp = HttpApiBuilder.group(
  Api,
  "tokens",
  Effect.fn(function* (handlers) {
    const tokens = yield* Tokens
    const requests = yield* IdempotentRequests
    const holders = yield* Holders
    return handlers.handleAll({
      create: ({ payload }) =>
        requests.commit(
          Effect.map(tokens.create(payload), (token) =>
            HttpServerResponse.jsonUnsafe(
              { success: true, data: token, message: `Token ${token.symbol} is registered` },
              { status: 201, headers: { location: `/api/tokens/${token.id}` } },
            ),
          ),
        ),
      list: Effect.fnUntraced(function* ({ query }) {
        const { mints, ...filter } = query
        const scope = mints === undefined ? filter : { ...filter, mints: mints.split(",") }
        return yield* answerList({
          key: "data",
          paging: query,
          read: (stretch) => Effect.map(tokens.list(scope, stretch), (rows) => rows.map(toListRow)),
        })
      }),
      search: ({ query }) =>
        answerList({
          key: "data",
          paging: query,
          ranks: SEARCH_RANKS,
          read: (stretch) =>
            Effect.map(tokens.search(query.q.trim(), query, stretch), (rows) =>
              rows.map(({ rank, ...row }) => ({ item: toToken(row), position: positionOf(row, rank) })),
            ),
        }),
      popular: ({ query: { interval = "24h", limit = POPULAR_LIMIT, ...filter } }) =>
        Effect.map(tokens.listPopular(interval, limit, filter), (rows) => respondData(rows.map(toToken))),
      holders: Effect.fnUntraced(function* ({ params, query }) {
        const page = yield* holderPage(yield* holders.list(params.mintAddress), query)
        const data = query.include === "balances" ? page.holders : page.holders.map(({ address }) => address)
        return HttpServerResponse.jsonUnsafe({
          ...{ success: true, data },
          ...(page.pagination && { pagination: page.pagination }),
        })
      }),
      getByMint: ({ params, request }) =>
        Effect.map(tokens.getByMint(params.address), (data) => respondResource(request, { success: true, data })),
      listByOwner: ({ params, query }) =>
        answerList({
          key: "data",
          paging: query,
          read: (stretch) =>
            Effect.map(tokens.list({ ...query, owner: params.address }, stretch), (rows) => rows.map(toListRow)),
        }),
      getById: ({ params, request }) =>
        Effect.map(tokens.getById(params.id), (data) => respondResource(request, { success: true, data })),
      update: ({ params, payload }) =>
        Effect.map(tokens.update(params.id, payload), (token) => respondData(token, "Token updated")),
      remove: ({ params }) =>
        Effect.map(tokens.remove(params.id), () => respondData({ deleted: true }, "Token deleted")),
    })
  }),
)
