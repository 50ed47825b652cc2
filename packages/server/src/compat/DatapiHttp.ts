import { Holders } from "@launch-registry/chain/holders/Holders"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Candle, CandleInterval } from "@launch-registry/domain/launch/Candle"
import type { Address } from "@launch-registry/domain/solana/Address"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { wholeTokens } from "@launch-registry/chain/venues/Prices"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readCandles } from "../launch/Candles.ts"
import { launchReads } from "../launch/Launches.ts"
import type { LaunchScope } from "../launch/ListLaunches.ts"
import { tradeLists } from "../launch/Trades.ts"
import { priceUnits } from "../markets/PriceUnits.ts"
import { DatapiApi } from "./DatapiApi.ts"
import { POOL_PARTS, toPool } from "./DatapiPool.ts"
import { toTx } from "./DatapiTx.ts"

/** Rows that the template keeps of each list. */
const LIST_ROWS = 30
/** Rows of a page of trades, and holders: more than its tables show at once, or it would not ask for the next page. */
const PAGE_ROWS = 50
const [CANDLES, CANDLES_MAX] = [300, 1_000]

const LISTS = {
  recent: { sort: "newest", stage: "curve" },
  aboutToGraduate: { sort: "progress", stage: "curve" },
  graduated: { sort: "graduated", stage: "migrated" },
} as const satisfies Readonly<Record<string, Pick<LaunchScope, "sort" | "stage">>>

const INTERVALS: ReadonlyMap<string, CandleInterval> = new Map([
  ["1_SECOND", "1s"],
  ["15_SECOND", "15s"],
  ["30_SECOND", "30s"],
  ["1_MINUTE", "1m"],
  ["3_MINUTE", "3m"],
  ["5_MINUTE", "5m"],
  ["15_MINUTE", "15m"],
  ["30_MINUTE", "30m"],
  ["1_HOUR", "1h"],
  ["2_HOUR", "2h"],
  ["4_HOUR", "4h"],
  ["8_HOUR", "8h"],
  ["12_HOUR", "12h"],
  ["1_DAY", "1d"],
  ["1_WEEK", "1w"],
  ["1_MONTH", "1mo"],
])

const NO_FILTER = { creator: undefined, quoteMint: undefined, mints: undefined }

/** JSON without what is undefined. */
const answer = (body: object) => HttpServerResponse.jsonUnsafe(body)

const NO_HOLDERS = { holders: [], count: 0 }

/** Handlers of the six routes. What is unknown is answered emptily: the template asks for mints of other services, too. */
export const datapiHttp = (gatewayUrl: string) =>
  HttpApiBuilder.group(
    DatapiApi,
    "datapi",
    Effect.fn(function* (handlers) {
      const launches = yield* launchReads
      const trades = yield* tradeLists
      const candles = yield* readCandles
      const holders = yield* Holders
      const units = yield* priceUnits

      const decimalsOf = (mint: Address) => Effect.map(units.findEach([mint]), (found) => found.get(mint)?.baseDecimals)

      const listOf = (
        name: keyof typeof LISTS,
        asked: { readonly partnerConfigs?: ReadonlyArray<string> } | undefined,
      ) => {
        if (asked === undefined) return Effect.undefined
        const configs = asked.partnerConfigs?.length === 0 ? undefined : asked.partnerConfigs
        const scope = { ...LISTS[name], registered: "any" as const, configs, ...NO_FILTER }
        const read = launches.list(scope, { limit: LIST_ROWS, offset: 0, after: undefined }, POOL_PARTS)
        return Effect.map(read, ({ rows }) => ({ pools: rows.map(({ item }) => toPool(item, gatewayUrl)) }))
      }

      return withJsonBodies(handlers).handleAll({
        gems: ({ payload }) =>
          Effect.all(
            {
              recent: listOf("recent", payload.recent),
              aboutToGraduate: listOf("aboutToGraduate", payload.aboutToGraduate),
              graduated: listOf("graduated", payload.graduated),
            },
            { concurrency: "unbounded" },
          ).pipe(Effect.map(answer)),
        pools: ({ query }) =>
          Effect.map(launches.ofMints([...new Set(query.assetIds.split(","))], POOL_PARTS), (found) =>
            answer({ pools: found.map((launch) => toPool(launch, gatewayUrl)) }),
          ),
        txs: Effect.fnUntraced(function* ({ params: { mint }, query }) {
          const { fromTs, offset, offsetTs, traderAddress, toTs } = query
          // Without a cursor what is older is asked for by the time of the last row.
          const to = offset === undefined ? (offsetTs ?? toTs) : toTs
          const filter = {
            mintAddress: mint,
            ...(traderAddress !== undefined && { trader: traderAddress }),
            ...(fromTs !== undefined && { from: fromTs }),
            ...(to !== undefined && { to }),
          }
          const page = yield* trades.list(filter, { limit: PAGE_ROWS, cursor: offset })
          const decimals = page.trades.length === 0 ? undefined : yield* decimalsOf(mint)
          return answer({
            txs: page.trades.map((trade) => toTx(trade, decimals)),
            // Null would make the template throw, and an empty page ends its table.
            ...(page.nextCursor !== null && { next: page.nextCursor }),
          })
        }),
        holders: Effect.fnUntraced(function* ({ params: { mint } }) {
          const decimals = yield* decimalsOf(mint)
          if (decimals === undefined) return answer(NO_HOLDERS)
          const found = yield* holders.list(mint).pipe(Effect.catchTag("NotFound", () => Effect.undefined))
          if (found === undefined) return answer(NO_HOLDERS)
          const rows = found.holders.slice(0, PAGE_ROWS).map(({ address, amount }) => ({
            address,
            amount: Number(wholeTokens(BigInt(amount), decimals)),
          }))
          return answer({ holders: rows, count: found.holders.length })
        }),
        description: ({ params: { mint } }) =>
          Effect.map(launches.ofMints([mint], { market: false, trust: false }), ([launch]) =>
            answer({ description: launch?.token?.description || launch?.document?.description }),
          ),
        charts: Effect.fnUntraced(function* ({ params: { mint }, query }) {
          const interval = INTERVALS.get(query.interval)
          if (interval === undefined)
            return yield* InvalidRequest.at("query.interval", `expected one of ${[...INTERVALS.keys()].join(", ")}`)
          const to = new Date(Number(query.to ?? Number.NaN))
          const rows = yield* candles(mint, {
            interval,
            figure: query.type === "mcap" ? "marketCapUsd" : "priceUsd",
            limit: Math.min(Math.max(1, Number(query.candles ?? CANDLES)), CANDLES_MAX),
            // The chart needs so many candles before the end, whatever begins them.
            from: undefined,
            to: Number.isNaN(to.getTime()) ? undefined : to,
          }).pipe(Effect.catchTag("NotFound", () => Effect.succeed<ReadonlyArray<Candle>>([])))
          return answer({
            candles: rows.map(({ close, high, low, open, time, volumeUsd }) => ({
              time: Date.parse(time) / 1_000,
              ...{ open: Number(open), high: Number(high), low: Number(low), close: Number(close) },
              volume: Number(volumeUsd ?? 0),
            })),
          })
        }),
      })
    }),
  )
