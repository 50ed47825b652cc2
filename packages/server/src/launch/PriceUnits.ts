import { NATIVE_DECIMALS, Pools } from "@launch-registry/chain/pools/Pools"
import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import type { NotFound } from "@launch-registry/domain/http/NotFound"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What turns a sqrt price of a pool into a price. */
export interface Units {
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

/** What turns a sqrt price of a pool into its figures. */
export interface FigureUnits extends Units {
  readonly quoteMint: string
  /** Before the migration, in smallest units. */
  readonly supply: bigint
}

interface IndexedMint {
  readonly quoteMint: string
  readonly decimals: number | null
  /** As the configuration was learnt; SOL needs none. */
  readonly quoteDecimals: number | null
}

interface LearntUnits extends Units {
  readonly quoteMint: string
  readonly supply: string
}

/** Mints of a list that the chain is asked about, at once, and the time for it. */
const [ASKED_MAX, ASKED_AT_ONCE, ASKING] = [20, 4, "2 seconds"] as const

/**
 * Decimals of the two tokens of a pool: from the index, or else from the chain, which costs requests only the first
 * time a mint is seen. Values that clients registered are not used: a price must not depend on them.
 */
export class PriceUnits extends Context.Service<
  PriceUnits,
  {
    readonly find: (baseMint: string) => Effect.Effect<Units, NotFound | Unavailable>
    /** The same, for figures that need more: from the configuration, which is learnt of every launch. */
    readonly findForFigures: (baseMint: string) => Effect.Effect<FigureUnits, NotFound | Unavailable>
    /** Those that are known, or that the chain says in time. */
    readonly findEach: (baseMints: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Units>>
    /** Fails for a mint that has neither a pool nor a trade, in the index and on the chain. */
    readonly requirePool: (baseMint: string) => Effect.Effect<void, NotFound | Unavailable>
  }
>()("@launch-registry/server/launch/PriceUnits") {
  static readonly layer = Layer.effect(
    PriceUnits,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pools = yield* Pools

      const decimals = sql.literal(
        "coalesce(p.decimals, c.token_decimal, k.base_decimals) as decimals, k.quote_decimals",
      )
      const configured = sql.literal(
        "dbc_pools p left join dbc_configs c on c.config = p.config left join launch_configs k on k.config_address = p.config",
      )

      // A pool that was created before the index began is known by its trades alone.
      const indexed = (baseMint: string) =>
        sql<IndexedMint>`
          (select p.quote_mint, ${decimals}, 0 as rank from ${configured}
            where p.base_mint = ${baseMint} order by decimals nulls last, quote_decimals nulls last limit 1)
          union all
          (select quote_mint, null, null, 1 from trades where base_mint = ${baseMint} order by ordinal desc limit 1)
          order by rank limit 1`.pipe(
          Effect.orDie,
          Effect.map(([row]) => row),
        )

      const indexedEach = (baseMints: ReadonlyArray<string>) =>
        sql<IndexedMint & { readonly baseMint: string }>`
          select distinct on (p.base_mint) p.base_mint, p.quote_mint, ${decimals} from ${configured}
          where p.base_mint = any(${baseMints}::text[])
          order by p.base_mint, decimals nulls last, quote_decimals nulls last`.pipe(Effect.orDie)

      const ofIndex = (known: IndexedMint | undefined): Units | undefined => {
        const quoteDecimals = known?.quoteMint === NATIVE_MINT ? NATIVE_DECIMALS : known?.quoteDecimals
        return typeof known?.decimals === "number" && typeof quoteDecimals === "number"
          ? { baseDecimals: known.decimals, quoteDecimals }
          : undefined
      }

      const ofChain = (baseMint: string) =>
        Effect.map(pools.getFacts(baseMint), ({ base, quote }): Units => ({
          ...{ baseDecimals: base.decimals, quoteDecimals: quote.decimals },
        }))

      const find = Effect.fn("PriceUnits.find")(function* (baseMint: string) {
        return ofIndex(yield* indexed(baseMint)) ?? (yield* ofChain(baseMint))
      })

      const findForFigures = Effect.fn("PriceUnits.findForFigures")(function* (baseMint: string) {
        const [known] = yield* Effect.orDie(sql<LearntUnits>`
          select p.quote_mint, k.base_decimals, k.quote_decimals, k.supply
          from (select quote_mint, config from dbc_pools where base_mint = ${baseMint} order by created_slot, pool limit 1) p
          join launch_configs k on k.config_address = p.config and k.supply is not null`)
        if (known !== undefined) return { ...known, supply: BigInt(known.supply) }
        const { base, config, quote } = yield* pools.getFacts(baseMint)
        const supply = config.preMigrationTokenSupply
        return { quoteMint: quote.mint, baseDecimals: base.decimals, quoteDecimals: quote.decimals, supply }
      })

      const findEach = Effect.fn("PriceUnits.findEach")(function* (baseMints: ReadonlyArray<string>) {
        const found = new Map<string, Units>()
        for (const row of yield* indexedEach(baseMints)) {
          const units = ofIndex(row)
          if (units !== undefined) found.set(row.baseMint, units)
        }
        const asked = baseMints.filter((mint) => !found.has(mint)).slice(0, ASKED_MAX)
        const ask = (mint: string) =>
          Effect.matchEffect(ofChain(mint), {
            onFailure: () => Effect.void,
            onSuccess: (units) => Effect.sync(() => void found.set(mint, units)),
          })
        if (asked.length > 0)
          yield* Effect.timeoutOption(Effect.forEach(asked, ask, { concurrency: ASKED_AT_ONCE, discard: true }), ASKING)
        return found
      })

      const requirePool = Effect.fn("PriceUnits.requirePool")(function* (baseMint: string) {
        if ((yield* indexed(baseMint)) === undefined) yield* pools.getFacts(baseMint)
      })

      return PriceUnits.of({ find, findForFigures, findEach, requirePool })
    }),
  )
}
