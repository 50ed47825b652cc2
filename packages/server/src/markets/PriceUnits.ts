import { Pools } from "@launch-registry/chain/pools/Pools"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { selectTokenFacts, type TokenFacts } from "./TokenFacts.ts"

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

/** Mints of a list that the chain is asked about, at once, and the time for it. */
const [ASKED_MAX, ASKED_AT_ONCE, ASKING] = [20, 4, "2 seconds"] as const

/**
 * What turns sqrt prices of a pool into figures: from the index and what was learnt of configurations, or else from the chain, which costs
 * requests only the first time a mint is seen. Values that clients registered are not used: a price must not depend on them.
 */
export const priceUnits = Effect.gen(function* () {
  const sql = yield* SqlClient
  const pools = yield* Pools

  const known = (baseMints: ReadonlyArray<string>) => Effect.orDie(selectTokenFacts(sql, baseMints))

  const ofChain = (baseMint: string) =>
    Effect.map(pools.getFacts(baseMint), ({ base, config, quote }): FigureUnits => ({
      ...{ quoteMint: quote.mint, baseDecimals: base.decimals, quoteDecimals: quote.decimals },
      supply: config.preMigrationTokenSupply,
    }))

  const find = Effect.fn("PriceUnits.find")(function* (baseMint: string) {
    const [row] = yield* known([baseMint])
    return unitsOf(row) ?? (yield* ofChain(baseMint))
  })

  /** For figures that need more: from the configuration, which is learnt of every launch. */
  const findForFigures = Effect.fn("PriceUnits.findForFigures")(function* (baseMint: string) {
    const [row] = yield* known([baseMint])
    const units = unitsOf(row)
    const { quoteMint, supply = null } = row ?? {}
    return units === undefined || supply === null
      ? yield* ofChain(baseMint)
      : { ...units, quoteMint: quoteMint!, supply }
  })

  /** Those that are known, or that the chain says in time. */
  const findEach = Effect.fn("PriceUnits.findEach")(function* (baseMints: ReadonlyArray<string>) {
    const found = new Map<string, Units>()
    for (const row of yield* known(baseMints)) {
      const units = unitsOf(row)
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
    return found as ReadonlyMap<string, Units>
  })

  /** Fails for a mint that has neither a pool nor a trade, in the index and on the chain. */
  const requirePool = Effect.fn("PriceUnits.requirePool")(function* (baseMint: string) {
    // A pool that was created before the index began is known by its trades alone.
    const [row] = yield* Effect.orDie(sql<{ readonly isKnown: boolean }>`
      select exists (select from dbc_pools where base_mint = ${baseMint})
        or exists (select from trades where base_mint = ${baseMint}) as is_known`)
    if (!row!.isKnown) yield* pools.getFacts(baseMint)
  })

  return { find, findForFigures, findEach, requirePool }
})

const unitsOf = (facts: TokenFacts | undefined): Units | undefined =>
  facts === undefined || facts.baseDecimals === null || facts.quoteDecimals === null
    ? undefined
    : { baseDecimals: facts.baseDecimals, quoteDecimals: facts.quoteDecimals }
