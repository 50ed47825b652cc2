import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import {
  ANALYTICS_DAYS_MAX,
  type TokenRanking,
  type TokenRankingSort,
  type TraderRanking,
  type VolumeReport,
} from "@launch-registry/domain/analytics/Analytics"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { NotConfigured, Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { Address } from "@launch-registry/domain/solana/Address"
import { startInstant } from "@launch-registry/domain/time/Timestamp"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import { Cache, Context, Duration, Effect, Exit, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { History, historyNotConfigured } from "../history/History.ts"
import { ordinalsWithin } from "../history/OrdinalsOfTimes.ts"
import {
  type AnalyticsScope,
  type AnalyticsStatement,
  launchpadsOf,
  rankedTokens,
  rankedTraders,
  type TokenFigures,
  type TokenLaunchpad,
  type TraderFigures,
  volumeByDay,
  type VolumeRow,
} from "./AnalyticsStatements.ts"
import { type Reach, readReach, toReach } from "./HistoryReach.ts"

const [MILLIS_PER_SECOND, MILLIS_PER_DAY] = [1_000, 86_400_000]

/** They add up all trades of a range: longer than a page may take. */
const TIMEOUT_MILLIS = 20_000
/** Queries of this process that run at once; others wait for their turn. */
const AT_ONCE = 3
/** Answers that are kept, and for how long. They are of what history had when it was asked. */
const [ANSWERS_MAX, ANSWERS_KEPT] = [64, "10 seconds"] as const

type Failure = InvalidRequest | NotConfigured | Unavailable

/** A range as in queries, and what else trades are chosen by. */
export interface AnalyticsFilter {
  readonly from: string
  readonly to?: string | undefined
  readonly launchpad?: Launchpad | undefined
  readonly config?: Address | undefined
  readonly quoteMint?: Address | undefined
  readonly mintAddress?: Address | undefined
}

/** Figures of all trades of a range, from history. */
export class Analytics extends Context.Service<
  Analytics,
  {
    readonly volume: (filter: AnalyticsFilter) => Effect.Effect<VolumeReport, Failure>
    readonly tokens: (
      filter: AnalyticsFilter,
      ranking: { readonly sort: TokenRankingSort; readonly limit: number },
    ) => Effect.Effect<TokenRanking, Failure>
    readonly traders: (filter: AnalyticsFilter, limit: number) => Effect.Effect<TraderRanking, Failure>
  }
>()("@launch-registry/server/analytics/Analytics") {
  static readonly layer = Layer.effect(
    Analytics,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const history = yield* History
      const turns = yield* Semaphore.make(AT_ONCE)

      const answers = yield* Cache.makeWith(
        (query: string) => {
          const { parameters, statement } = JSON.parse(query) as AnalyticsStatement
          const options = { timeoutMillis: TIMEOUT_MILLIS }
          return turns.withPermit(history.select<object>("analytics", statement, parameters, options))
        },
        { capacity: ANSWERS_MAX, timeToLive: (exit) => (Exit.isSuccess(exit) ? ANSWERS_KEPT : Duration.zero) },
      )

      /** One query for all who ask the same of the same history; none where it has nothing yet. */
      const ask = <Row>({ parameters, statement }: AnalyticsStatement, { sentAt, sentBelow }: Reach) =>
        sentBelow === 0n
          ? Effect.succeed<ReadonlyArray<Row>>([])
          : Effect.map(
              Cache.get(answers, JSON.stringify({ statement, parameters, sentAt })),
              (rows) => rows as ReadonlyArray<Row>,
            )

      /** The scope of a filter, and the history that it is of. */
      const scopeOf = Effect.fnUntraced(function* ({ from, to, ...filter }: AnalyticsFilter) {
        if (!history.isConfigured) return yield* historyNotConfigured()
        const reach = yield* Effect.orDie(readReach(sql))
        yield* checkRange(from, to, reach)
        const { beyond, first } = yield* Effect.orDie(ordinalsWithin(sql, { from, to }))
        const scope: AnalyticsScope = {
          ...{ ...filter, from: secondsOf(from), to: to === undefined ? undefined : secondsOf(to), first },
          beyond: beyond !== undefined && beyond < reach.sentBelow ? beyond : reach.sentBelow,
        }
        return { reach, scope }
      })

      const volume = Effect.fn("Analytics.volume")(function* (filter: AnalyticsFilter) {
        const { reach, scope } = yield* scopeOf(filter)
        const rows = yield* ask<VolumeRow>(volumeByDay(scope), reach)
        const days = rows.map((row) => ({
          ...{ day: timeOf(row.day), launchpad: row.launchpad === "" ? null : row.launchpad },
          ...{
            quoteMint: row.quote_mint,
            trades: Number(row.trades),
            traders: Number(row.traders),
            volume: row.volume,
          },
        }))
        return { days, history: toReach(reach) }
      })

      const tokens = Effect.fn("Analytics.tokens")(function* (
        filter: AnalyticsFilter,
        { limit, sort }: { readonly sort: TokenRankingSort; readonly limit: number },
      ) {
        const quoteMint = filter.quoteMint ?? (sort === "volume" ? NATIVE : undefined)
        const { reach, scope } = yield* scopeOf({ ...filter, quoteMint })
        const rows = yield* ask<TokenFigures>(rankedTokens(scope, sort, limit), reach)
        const mints = rows.map(({ base_mint }) => base_mint)
        const known = mints.length === 0 ? [] : yield* ask<TokenLaunchpad>(launchpadsOf(mints), reach)
        const launchpads = new Map(known.map(({ base_mint, launchpad }) => [base_mint, launchpad]))
        const ranked = rows.map((row) => ({
          ...{
            mintAddress: row.base_mint,
            quoteMint: row.quote_mint,
            launchpad: launchpads.get(row.base_mint) || null,
          },
          ...{ trades: Number(row.trades), traders: Number(row.traders), volume: row.volume },
          lastTradeAt: timeOf(row.last_at),
        }))
        return { tokens: ranked, history: toReach(reach) }
      })

      const traders = Effect.fn("Analytics.traders")(function* (filter: AnalyticsFilter, limit: number) {
        const quoteMint = filter.quoteMint ?? (filter.mintAddress === undefined ? NATIVE : undefined)
        const { reach, scope } = yield* scopeOf({ ...filter, quoteMint })
        const rows = yield* ask<TraderFigures>(rankedTraders(scope, limit), reach)
        const ranked = rows.map((row) => ({
          ...{ trader: row.trader, quoteMint: row.quote_mint, trades: Number(row.trades), tokens: Number(row.tokens) },
          ...{ volume: row.volume, bought: row.bought, sold: row.sold, lastTradeAt: timeOf(row.last_at) },
        }))
        return { traders: ranked, history: toReach(reach) }
      })

      return Analytics.of({ volume, tokens, traders })
    }),
  )
}

const NATIVE = NATIVE_MINT as string as Address

const timeOf = (seconds: number): string => new Date(seconds * MILLIS_PER_SECOND).toISOString()

const secondsOf = (time: string): number => Math.ceil(startInstant(time).getTime() / MILLIS_PER_SECOND)

const checkRange = Effect.fnUntraced(function* (from: string, to: string | undefined, { sentAt }: Reach) {
  const start = startInstant(from).getTime()
  // Without an end it is all that history has by now.
  const end = to === undefined ? (sentAt?.getTime() ?? start) : startInstant(to).getTime()
  const fault = InvalidRequest.at
  if (to !== undefined && end <= start) return yield* fault("query.to", "expected a time after `from`")
  if (end - start > ANALYTICS_DAYS_MAX * MILLIS_PER_DAY) {
    const days = `at most ${ANALYTICS_DAYS_MAX} days`
    return yield* to === undefined
      ? fault("query.from", `expected a time ${days} ago, or \`to\` ${days} after it`)
      : fault("query.to", `expected a time ${days} after \`from\``)
  }
})
