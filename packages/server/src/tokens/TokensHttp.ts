import { Holders } from "@launch-registry/chain/launch/Holders"
import { Api } from "@launch-registry/domain/Api"
import { includes } from "@launch-registry/domain/http/Include"
import { POPULAR_INTERVAL, POPULAR_LIMIT } from "@launch-registry/domain/tokens/TokensApi"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { sameFor, sharedFor } from "@launch-registry/http/answers/CacheControl"
import { newestFirst } from "@launch-registry/http/answers/Cursor"
import { KnownEtags } from "@launch-registry/http/answers/KnownEtags"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { toPopularToken } from "./PopularReads.ts"
import { positionOf, type TokenRow, toToken } from "./TokenRow.ts"
import { holderPage } from "./HolderPages.ts"
import { foundFor } from "./FoundTokens.ts"
import { Tokens } from "./Tokens.ts"

const { respond, respondList, respondResource, respondShared, respondTagged } = answersOf("tokens")

/** What it is ranked by moves on every five seconds. */
const POPULAR_CACHED = sharedFor(2)

const toListRow = (row: TokenRow) => ({ item: toToken(row), position: positionOf(row) })

/** Handlers of `/api/tokens`. */
export const TokensHttp = HttpApiBuilder.group(
  Api,
  "tokens",
  Effect.fn(function* (handlers) {
    const tokens = yield* Tokens
    const requests = yield* IdempotentRequests
    const holders = yield* Holders
    const [byId, byMint] = [new KnownEtags(), new KnownEtags()]
    return withJsonBodies(handlers).handleAll({
      create: ({ payload }) =>
        requests.commit(
          Effect.map(tokens.create(payload), (token) =>
            respond(
              "create",
              { data: token, message: `Token ${token.symbol} is registered` },
              { location: `/api/tokens/${token.id}` },
            ),
          ),
        ),
      list: Effect.fnUntraced(function* ({ query }) {
        const { mints, ...filter } = query
        const scope = mints === undefined ? filter : { ...filter, mints: mints.split(",") }
        return yield* respondList("list", {
          key: "data",
          paging: query,
          cursor: newestFirst("tokens"),
          read: (range) => Effect.map(tokens.list(scope, range), (rows) => rows.map(toListRow)),
        })
      }),
      search: ({ query }) => {
        const term = query.q.trim()
        return respondList("search", {
          key: "data",
          paging: query,
          cursor: foundFor(term),
          read: (range) =>
            Effect.map(tokens.search(term, query, range), ({ end, rows }) => ({
              rows: rows.map(({ rank, ...row }) => ({ item: toToken(row), position: { rank, ...positionOf(row) } })),
              end,
            })),
        })
      },
      popular: ({ query: { include, interval = POPULAR_INTERVAL, limit = POPULAR_LIMIT, ...filter }, request }) =>
        respondShared(
          "popular",
          request,
          Effect.map(
            tokens.listPopular({ interval, limit, filter, isRanked: includes(include, "ranking") }),
            (rows) => ({ data: rows.map(toPopularToken) }),
          ),
          POPULAR_CACHED,
        ),
      holders: Effect.fnUntraced(function* ({ params, query, request }) {
        const found = yield* holders.list(params.mintAddress)
        const { holders: data, ...page } = yield* holderPage(params.mintAddress, found.holders, query)
        const cached = sameFor((found.freshUntilMillis - (yield* Clock.currentTimeMillis)) / 1_000)
        return query.include === "balances"
          ? respondTagged("holders", request, { data, ...page }, cached)
          : respondTagged("holders", request, { data: data.map(({ address }) => address), ...page }, cached)
      }),
      getByMint: ({ params, request }) =>
        respondResource("getByMint", byMint, request, {
          key: params.address,
          version: tokens.versionByMint(params.address),
          read: Effect.map(tokens.getByMint(params.address), (data) => ({ data })),
        }),
      listByOwner: ({ params, query }) =>
        respondList("listByOwner", {
          key: "data",
          paging: query,
          cursor: newestFirst("tokens of an owner", params.address),
          read: (range) =>
            Effect.map(tokens.list({ ...query, owner: params.address }, range), (rows) => rows.map(toListRow)),
        }),
      getById: ({ params, request }) =>
        respondResource("getById", byId, request, {
          key: params.id,
          version: tokens.versionById(params.id),
          read: Effect.map(tokens.getById(params.id), (data) => ({ data })),
        }),
      update: ({ params, payload }) =>
        Effect.map(tokens.update(params.id, payload), (data) => respond("update", { data, message: "Token updated" })),
      remove: ({ params }) =>
        Effect.map(tokens.remove(params.id), () =>
          respond("remove", { data: { deleted: true }, message: "Token deleted" }),
        ),
    } satisfies Answering<"tokens">)
  }),
)
