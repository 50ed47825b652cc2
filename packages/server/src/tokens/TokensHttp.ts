import { type HolderList, Holders } from "@launch-registry/chain/holders/Holders"
import { Api } from "@launch-registry/domain/Api"
import { isIncluded } from "@launch-registry/domain/http/Include"
import { ChainContradicted } from "@launch-registry/domain/tokens/TokenErrors"
import { POPULAR_INTERVAL, POPULAR_LIMIT } from "@launch-registry/domain/tokens/TokensApi"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { sameFor, sharedFor } from "@launch-registry/http/answers/CacheControl"
import { newestFirst } from "@launch-registry/http/answers/Cursor"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { Markets } from "../markets/Markets.ts"
import { mayHaveChanged } from "../facts/ChainFacts.ts"
import { ChainLabels } from "./ChainLabels.ts"
import type { TokenScope } from "./ListTokens.ts"
import { toPopularToken } from "./PopularTokens.ts"
import { type Parts, tokenParts } from "./TokenParts.ts"
import { positionOf, toToken } from "./TokenRow.ts"
import { holderPage } from "./HolderPages.ts"
import { foundFor } from "./FoundTokens.ts"
import { Tokens } from "./Tokens.ts"
import { Trust } from "../trust/Trust.ts"
import { TrustReports } from "./TrustReports.ts"

const { respond, respondList, respondRead, respondTagged } = answersOf("tokens")

/** What it is ranked by moves on every five seconds. */
const POPULAR_CACHED = sharedFor(2)

const withData = <A, E>(read: Effect.Effect<A, E>) => Effect.map(read, (data) => ({ data }))

/** For as long as the service itself answers the same. */
const cachedFor = ({ freshUntilMillis }: HolderList) =>
  Effect.map(Clock.currentTimeMillis, (now) => sameFor((freshUntilMillis - now) / 1_000))

/** Handlers of `/api/tokens`. */
export const TokensHttp = HttpApiBuilder.group(
  Api,
  "tokens",
  Effect.fn(function* (handlers) {
    const tokens = yield* Tokens
    const requests = yield* IdempotentRequests
    const holders = yield* Holders
    const reports = yield* TrustReports
    const labels = yield* ChainLabels
    const parts = tokenParts(yield* Markets, yield* Trust)
    /** What is called otherwise on chain than the index knows may have been renamed: the chain is read before it is said. */
    const asOnChain = <A, E, R>(write: Effect.Effect<A, E | ChainContradicted, R>) =>
      Effect.catchIf(
        write,
        (error): error is ChainContradicted =>
          error instanceof ChainContradicted && mayHaveChanged(error.contradictions),
        ({ id }) => Effect.andThen(labels.refresh([id]), write),
      )

    const readList = Effect.fnUntraced(function* (query: TokenScope & Parts, range: RowRange) {
      const rows = yield* tokens.list(query, range)
      const items = yield* parts.ofList(query, rows.map(toToken))
      return rows.map((row, index) => ({ item: items[index]!, position: positionOf(row) }))
    })

    return withJsonBodies(handlers).handleAll({
      create: ({ payload }) =>
        asOnChain(
          requests.commit(
            Effect.map(tokens.create(payload), (token) =>
              respond(
                "create",
                { data: token, message: `Token ${token.symbol} is registered` },
                { location: `/api/tokens/${token.id}` },
              ),
            ),
          ),
        ),
      list: Effect.fnUntraced(function* ({ query }) {
        const { mintAddresses, ...filter } = query
        const scope = mintAddresses === undefined ? filter : { ...filter, mints: mintAddresses.split(",") }
        return yield* respondList("list", {
          key: "data",
          paging: query,
          cursor: newestFirst("tokens", scope),
          read: (range) => readList(scope, range),
        })
      }),
      search: ({ query }) => {
        const term = query.q.trim()
        return respondList("search", {
          key: "data",
          paging: query,
          cursor: foundFor(term, query),
          resumesOffset: true,
          isDear: true,
          read: Effect.fnUntraced(function* (range) {
            const { end, rows: found, toSkip } = yield* tokens.search(term, query, range)
            const ranked = found.map(({ rank, ...row }) => ({ rank, row }))
            const items = yield* parts.ofList(
              query,
              ranked.map(({ row }) => toToken(row)),
            )
            const rows = ranked.map(({ rank, row }, index) => ({
              item: items[index]!,
              position: { rank, ...positionOf(row) },
            }))
            return { rows, end, toSkip }
          }),
        })
      },
      popular: ({ query: { interval = POPULAR_INTERVAL, limit = POPULAR_LIMIT, ...filter }, request }) => {
        const rows = tokens.listPopular({ interval, limit, filter, isRanked: isIncluded(filter, "ranking") })
        const read = withData(Effect.flatMap(rows, (rows) => parts.ofList(filter, rows.map(toPopularToken))))
        return respondRead("popular", request, read, POPULAR_CACHED)
      },
      holders: Effect.fnUntraced(function* ({ params, query, request }) {
        const found = yield* holders.list(params.mintAddress)
        const { holders: data, ...page } = yield* holderPage(params.mintAddress, found.holders, query)
        const rest = { isWhole: found.isWhole, ...page }
        const cached = yield* cachedFor(found)
        return query.include === "balances"
          ? respondTagged("holders", request, { data, ...rest }, cached)
          : respondTagged("holders", request, { data: data.map(({ address }) => address), ...rest }, cached)
      }),
      holderCount: Effect.fnUntraced(function* ({ params, request }) {
        const found = yield* holders.list(params.mintAddress)
        const data = { count: found.holders.length, isWhole: found.isWhole }
        return respondTagged("holderCount", request, { data }, yield* cachedFor(found))
      }),
      trust: ({ params }) => Effect.map(reports.read(params.mintAddress), (data) => respond("trust", { data })),
      getByMint: ({ params, query, request }) => {
        const token = tokens.getByMint(params.address)
        return respondRead("getByMint", request, withData(Effect.flatMap(token, (token) => parts.ofOne(query, token))))
      },
      listByOwner: ({ params, query }) =>
        respondList("listByOwner", {
          key: "data",
          paging: query,
          cursor: newestFirst("tokens of an owner", params.address, query),
          read: (range) => readList({ ...query, owner: params.address }, range),
        }),
      getById: ({ params, query, request }) => {
        const token = tokens.getById(params.id)
        return respondRead("getById", request, withData(Effect.flatMap(token, (token) => parts.ofOne(query, token))))
      },
      update: ({ params, payload }) =>
        Effect.map(asOnChain(tokens.update(params.id, payload)), (data) =>
          respond("update", { data, message: "Token updated" }),
        ),
      verify: ({ params, payload }) =>
        Effect.map(tokens.verify(params.id, payload), (data) =>
          respond("verify", { data, message: payload.verified ? "Token is verified" : "Token is not verified" }),
        ),
      remove: ({ params }) =>
        Effect.map(tokens.remove(params.id), () =>
          respond("remove", { data: { deleted: true }, message: "Token deleted" }),
        ),
    } satisfies Answering<"tokens">)
  }),
)
