import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { takeTurn } from "../system/Turn.ts"
import { PriceFigures } from "./PriceFigures.ts"
import { type PriceOptions, PriceSourceFailed, readUsdPrices } from "./PriceSource.ts"

/** Quote tokens whose price is asked for: those that most tokens were traded for in a day. */
const [MINTS_MAX, USED_IN] = [100, "24h" satisfies PopularInterval] as const
/** How often they are looked for: that reads all tokens that were traded. */
const LOOK_MILLIS = 300_000
/** By all processes together: up to two requests each time. */
const REFRESH_SECONDS = 30
/** Of the pause between two refreshes, what must have passed: the clocks of processes differ. */
const DUE_SHARE = 0.9
/** Prices of each minute are kept so long, and one of each hour for ever. */
const MINUTES_KEPT_DAYS = 30
const SWEEP_SECONDS = 3_600

/**
 * Asks for the prices of the quote tokens in use, if no process has done so lately, and stores them by minute. A token without a usable
 * price keeps the last one. Returns how many were stored; undefined if it was another's turn.
 */
export const refreshPrices = (options: PriceOptions) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const readPrices = readUsdPrices(options)
    let used: ReadonlyArray<string> = []
    let lookedAt = Number.NEGATIVE_INFINITY

    const lookUp = Effect.gen(function* () {
      const now = performance.now()
      if (now - lookedAt < LOOK_MILLIS) return used
      const rows = yield* sql<{ readonly quoteMint: string }>`
        select p.quote_mint from trading_windows w
        cross join lateral (select quote_mint from dbc_pools where base_mint = w.base_mint limit 1) p
        where w.span = ${USED_IN} and p.quote_mint <> ${NATIVE_MINT}
        group by p.quote_mint order by count(*) desc, p.quote_mint limit ${MINTS_MAX - 1}`
      used = [NATIVE_MINT, ...rows.map(({ quoteMint }) => quoteMint)]
      lookedAt = now
      return used
    })

    const sweep = Effect.gen(function* () {
      if (!(yield* takeTurn(sql, "price sweeps", SWEEP_SECONDS))) return
      yield* sql`
        delete from quote_prices p
        where minute < now() - make_interval(days => ${MINUTES_KEPT_DAYS}::integer)
          and exists (
            select from quote_prices o where o.quote_mint = p.quote_mint
              and o.minute >= date_trunc('hour', p.minute, 'UTC') and o.minute < p.minute
          )`
    }).pipe(sql.withTransaction)

    return Effect.gen(function* () {
      if (!(yield* takeTurn(sql, "price requests", REFRESH_SECONDS * DUE_SHARE))) return undefined
      const prices = yield* readPrices(yield* lookUp)
      if (prices.size > 0)
        yield* sql`
          insert into quote_prices as q (quote_mint, minute, usd, read_at)
          select mint, date_trunc('minute', now()), usd, now()
          from unnest(${[...prices.keys()]}::text[], ${[...prices.values()]}::text[]::numeric[]) as d (mint, usd) order by mint
          on conflict (quote_mint, minute) do update set usd = excluded.usd, read_at = excluded.read_at`
      if (prices.size > 0) yield* sql`update server_progress set done_at = now() where name = 'prices'`
      yield* sweep
      return prices.size
    })
  })

/** Keeps the prices of quote tokens fresh for the lifetime of the process; nothing without a source. */
export const RefreshPricesLayer = (options: PriceOptions | undefined) =>
  options === undefined
    ? Layer.empty
    : Layer.effectDiscard(
        Effect.gen(function* () {
          const figures = yield* PriceFigures
          const refresh = yield* refreshPrices(options)
          const counted = refresh.pipe(
            Effect.tap((stored) => Effect.sync(() => stored !== undefined && figures.count("stored"))),
            Effect.tapError((error) =>
              Effect.sync(() => error instanceof PriceSourceFailed && figures.count("failed")),
            ),
          )
          yield* Effect.forkScoped(regularly("Refreshing the prices of quote tokens", REFRESH_SECONDS * 1_000, counted))
        }),
      )
