import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { dammV1Reserves, sqrtPriceOf } from "../../src/dammV1/DammV1Math.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { hasDammV1Programs, SOL_VAULT, type SolVault } from "./DammV1Launch.ts"
import { dammV1Services, dammV1StateOf, graduateToDammV1 } from "./GraduatedToDammV1.ts"
import { tradesAsQuoted } from "./TradesAsQuoted.ts"

const journey = (option: number, feeBps: number, vault?: SolVault) =>
  Effect.gen(function* () {
    const [pools, swaps] = [yield* Pools, yield* Swaps]
    const launch = yield* graduateToDammV1(option)
    const { accounts, curve } = yield* pools.getCurveWith(launch.baseMint, stateAccounts)
    const state = poolState(curve, accounts)
    const pool = launch.migratedPool as string
    assert.deepInclude(state, { isComplete: true, isMigrated: true, venue: "damm_v1", graduatedPool: pool as never })
    assert.deepInclude(state.migratedPool!, { pool: pool as never, isEnabled: true, feeBps, collectFeeMode: 3 })
    assert.deepInclude(state, { price: state.migratedPool!.price, marketCap: state.migratedPool!.marketCap })

    const wallet = { address: launch.wallet.address as string, keyPair: launch.keyPair }
    yield* tradesAsQuoted(wallet, launch.baseMint, [
      { amountIn: 100_000_000_000n },
      { amountIn: 1_237n },
      { amountIn: 100_000_000_000_000n, swapBaseForQuote: true },
    ])
    const after = poolState(yield* pools.getCurve(launch.baseMint), { mint: undefined })
    const reserves = dammV1Reserves(yield* dammV1StateOf(launch))!
    assert.strictEqual(after.migratedPool!.sqrtPrice, String(sqrtPriceOf(reserves)))

    const dust = yield* Effect.flip(
      swaps.quote({ baseMint: launch.baseMint, amountIn: 1n, slippageBps: 100, swapBaseForQuote: true }),
    )
    assert.strictEqual(dust._tag, "InvalidRequest")
  }).pipe(Effect.provide(Holders.layer()), Effect.provide(dammV1Services(option, vault)))

describe.skipIf(!hasDammV1Programs)(
  "From launch to swaps on DAMM v1 on the real programs (needs the program files)",
  () => {
    it.live("with a fee of 1 %", () => journey(2, 100))
    it.live("with the lowest fee", () => journey(0, 25))
    it.live("with the highest fee", () => journey(5, 600))
    it.live("over a vault without profit", () => journey(1, 30, { ...SOL_VAULT, totalAmount: SOL_VAULT.lpSupply }))
  },
)
