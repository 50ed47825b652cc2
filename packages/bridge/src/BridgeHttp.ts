import { Api } from "@launch-registry/domain/Api"
import type { BridgeAsset } from "@launch-registry/domain/bridge/BridgeAsset"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { sameFor } from "@launch-registry/http/answers/CacheControl"
import { newestFirst } from "@launch-registry/http/answers/Cursor"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { Bridge } from "./Bridge.ts"
import { positionOf, toSwap } from "./SwapRow.ts"

const { respond, respondList, respondRead, respondTagged } = answersOf("bridge")

const matches = (query: { readonly chain?: string; readonly search?: string }) => {
  const chain = query.chain?.toLowerCase()
  const search = query.search?.toLowerCase()
  return ({ assetId, blockchain, contractAddress, symbol }: BridgeAsset): boolean =>
    (chain === undefined || blockchain.toLowerCase() === chain) &&
    (search === undefined ||
      [symbol, assetId, contractAddress ?? ""].some((text) => text.toLowerCase().includes(search)))
}

/** Handlers of `/api/bridge`. */
export const BridgeHttp = HttpApiBuilder.group(
  Api,
  "bridge",
  Effect.fn(function* (handlers) {
    const { parts } = yield* Bridge
    const requests = yield* IdempotentRequests

    return withJsonBodies(handlers).handleAll({
      tokens: ({ query, request }) =>
        Effect.gen(function* () {
          const { tokens } = yield* parts
          const { asOf, assets, freshMillis, isStale } = yield* tokens.list
          const data = assets.filter(matches(query))
          const fields = { data, asOf: asOf.toISOString(), stale: isStale }
          return respondTagged("tokens", request, fields, sameFor(freshMillis / 1_000))
        }),
      quote: ({ payload }) =>
        Effect.gen(function* () {
          const { quotes } = yield* parts
          // Answered from the stored swap, whose address is not given out again once it is too late to pay.
          const key = payload.dry === false ? yield* requests.madeAnew : undefined
          const data = yield* quotes.quote(payload, key)
          return respond("quote", { data }, { "cache-control": "no-store" })
        }),
      deposit: Effect.fnUntraced(function* ({ payload }) {
        const { deposits } = yield* parts
        return yield* requests.commit(
          Effect.map(deposits.report(payload), (data) =>
            respond("deposit", { data, message: "The deposit is recorded and will be reported to the swap service" }),
          ),
        )
      }),
      status: Effect.fnUntraced(function* ({ params, query, request }) {
        const { swaps } = yield* parts
        const swap = yield* swaps.getByAddress(params.depositAddress, {
          value: query.memo || undefined,
          path: "query.memo",
        })
        const view = yield* swaps.view
        yield* swaps.hasten(swap, view)
        return respondTagged("status", request, { data: toSwap(swap, view) })
      }),
      swaps: Effect.fnUntraced(function* ({ query }) {
        const { swaps } = yield* parts
        const view = yield* swaps.view
        return yield* respondList("swaps", {
          key: "data",
          paging: query,
          cursor: newestFirst("swaps", query),
          defaultLimit: PAGE_LIMIT,
          read: (range) =>
            Effect.map(swaps.list(query, range), (rows) =>
              rows.map((row) => ({ item: toSwap(row, view), position: positionOf(row) })),
            ),
        })
      }),
      swap: Effect.fnUntraced(function* ({ params, request }) {
        const { swaps } = yield* parts
        const read = Effect.map(swaps.record(params.id), (data) => ({ data }))
        return yield* respondRead("swap", request, read)
      }),
    } satisfies Answering<"bridge">)
  }),
)
