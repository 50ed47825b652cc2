import { NATIVE_DECIMALS, Pools } from "@launch-registry/chain/launch/Pools"
import { NATIVE_MINT } from "@launch-registry/chain/launch/Programs"
import type { ChainUnavailable, PoolNotFound } from "@launch-registry/domain/launch/LaunchErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What turns a sqrt price of a pool into a price. */
export interface Units {
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

interface IndexedMint {
  readonly quoteMint: string
  readonly decimals: number | null
}

/**
 * Decimals of the two tokens of a pool: from the index, or else from the chain, which costs requests only the first
 * time a mint is seen. Values that clients registered are not used: a price must not depend on them.
 */
export class PriceUnits extends Context.Service<
  PriceUnits,
  {
    readonly find: (baseMint: string) => Effect.Effect<Units, PoolNotFound | ChainUnavailable>
    /** Fails for a mint that has neither a pool nor a trade, in the index and on the chain. */
    readonly requirePool: (baseMint: string) => Effect.Effect<void, PoolNotFound | ChainUnavailable>
  }
>()("@launch-registry/server/launch/PriceUnits") {
  static readonly layer = Layer.effect(
    PriceUnits,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pools = yield* Pools

      // A pool that was created before the index began is known by its trades alone.
      const indexed = (baseMint: string) =>
        sql<IndexedMint>`
          (select p.quote_mint, coalesce(p.decimals, c.token_decimal) as decimals, 0 as rank
            from dbc_pools p left join dbc_configs c on c.config = p.config
            where p.base_mint = ${baseMint} order by decimals nulls last limit 1)
          union all
          (select quote_mint, null, 1 from trades where base_mint = ${baseMint} order by ordinal desc limit 1)
          order by rank limit 1`.pipe(
          Effect.orDie,
          Effect.map(([row]) => row),
        )

      const find = Effect.fn("PriceUnits.find")(function* (baseMint: string) {
        const known = yield* indexed(baseMint)
        if (typeof known?.decimals === "number" && known.quoteMint === NATIVE_MINT)
          return { baseDecimals: known.decimals, quoteDecimals: NATIVE_DECIMALS }
        const { config, quoteDecimals } = yield* pools.getFacts(baseMint)
        return { baseDecimals: config.tokenDecimal, quoteDecimals }
      })

      const requirePool = Effect.fn("PriceUnits.requirePool")(function* (baseMint: string) {
        if ((yield* indexed(baseMint)) === undefined) yield* pools.getFacts(baseMint)
      })

      return PriceUnits.of({ find, requirePool })
    }),
  )
}
