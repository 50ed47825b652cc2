import { CURVES_MAX, type CurveFacts, readCurves } from "@launch-registry/chain/pools/CurveReads"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { onPrimary } from "@launch-registry/postgres/ReadSource"
import { Clock, Context, Effect, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { listings } from "./Listings.ts"

/** Configurations that are asked for, and that are remembered as not found. */
const CONFIGS_MAX = 10_000
/** What was not found is not asked for again before this has passed. */
const MISS_MILLIS = 10_000

/**
 * Learns from the chain what configurations say of their curves, once each: writer of `launch_configs`. Whoever needs it does not
 * wait for the chain; it is there a moment later.
 */
export class LearnCurves extends Context.Service<
  LearnCurves,
  {
    /** Asks for those that nobody has asked for yet. */
    readonly learn: (configs: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("@launch-registry/server/markets/LearnCurves") {
  static readonly layer = Layer.effect(
    LearnCurves,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { deriveOf } = listings(sql)
      const rpc = yield* Rpc
      const scope = yield* Scope.Scope
      const wanted = new Set<string>()
      /** Until when they are not asked for again, in milliseconds. */
      const missed = new Map<string, number>()
      let isAsking = false

      // A node that errs or lies about another pool's quote token must not be believed for ever.
      const remember = ({ config, quoteMint, ...facts }: CurveFacts) => sql`
        insert into launch_configs as k
          (config_address, base_decimals, quote_decimals, supply, migration_quote_threshold, start_sqrt_price,
            token_update_authority)
        select ${config}, ${facts.baseDecimals}::smallint, ${facts.quoteDecimals}::smallint, ${String(facts.supply)}::numeric,
          ${String(facts.migrationQuoteThreshold)}::numeric, ${String(facts.startSqrtPrice)}::numeric,
          ${facts.tokenUpdateAuthority}::smallint
        from dbc_pools p where p.config = ${config} and p.quote_mint = ${quoteMint}
          and coalesce(p.decimals = ${facts.baseDecimals}::smallint, true)
        limit 1
        on conflict (config_address) do update set base_decimals = excluded.base_decimals,
          quote_decimals = excluded.quote_decimals, supply = excluded.supply,
          migration_quote_threshold = excluded.migration_quote_threshold, start_sqrt_price = excluded.start_sqrt_price,
          token_update_authority = excluded.token_update_authority
        where k.supply is null
        returning config_address`

      const ask = Effect.fnUntraced(function* (configs: ReadonlyArray<string>) {
        const known = new Set<string>()
        const learned = Effect.gen(function* () {
          for (const facts of yield* readCurves(rpc, configs))
            if ((yield* remember(facts)).length > 0) {
              known.add(facts.config)
              yield* deriveOf(facts.config)
            }
        })
        yield* Effect.catchCause(learned, (cause) => Effect.logDebug("Configurations could not be read", cause))
        const until = (yield* Clock.currentTimeMillis) + MISS_MILLIS
        for (const config of configs) {
          missed.delete(config)
          if (!known.has(config)) missed.set(config, until)
        }
        while (missed.size > CONFIGS_MAX) missed.delete(missed.keys().next().value!)
      })

      const askAll = Effect.gen(function* () {
        while (wanted.size > 0) {
          const configs = [...wanted].slice(0, CURVES_MAX)
          yield* ask(configs)
          for (const config of configs) wanted.delete(config)
        }
      }).pipe(Effect.ensuring(Effect.sync(() => (isAsking = false))))

      const learn = Effect.fnUntraced(function* (configs: ReadonlyArray<string>) {
        if (configs.length === 0) return
        const now = yield* Clock.currentTimeMillis
        for (const config of configs)
          if (wanted.size < CONFIGS_MAX && (missed.get(config) ?? 0) <= now) wanted.add(config)
        if (isAsking || wanted.size === 0) return
        isAsking = true
        // Not in the transaction of whoever asks: that ends before.
        const outside = (context: Context.Context<never>): Context.Context<never> =>
          Context.omit(sql.transactionService)(context)
        yield* Effect.forkIn(Effect.updateContext(onPrimary(askAll), outside), scope)
      })

      return LearnCurves.of({ learn })
    }),
  )
}
