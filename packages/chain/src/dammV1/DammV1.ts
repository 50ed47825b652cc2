import { PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import type { MigratedPool } from "@launch-registry/domain/pools/MigratedPool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { Effect } from "effect"
import { pointOf } from "../accounts/Clock.ts"
import { dammV1Addresses } from "./DammV1Addresses.ts"
import { dammV1SwapInstruction } from "./DammV1Instructions.ts"
import { dammV1Fill, dammV1Reserves, type DammV1State, sqrtPriceOf } from "./DammV1Math.ts"
import { dammV1AccountAddresses, readDammV1 } from "./DammV1Reads.ts"
import { dammV1PoolAddress } from "../accounts/DerivedAddresses.ts"
import { pricesOf } from "../venues/Prices.ts"
import { DAMM_V1_CONFIGS } from "../accounts/Programs.ts"
import { squareRoot } from "../venues/SquareRoot.ts"
import { sidesOf, type TokenPair } from "../venues/TokenPair.ts"
import type { Destination, TradingVenue } from "../venues/TradingVenue.ts"

const BASIS_POINTS = 10_000
/** Beyond those that DAMM v2 has: the fee is taken of what is sent. */
const FEE_OF_INPUT = 3

/** Where curves of a `migrationFeeOption` migrate to. Nobody but the DBC program can create a pool at this address. */
export const dammV1Destination = async (pair: TokenPair, feeOption: number): Promise<Destination | undefined> => {
  const config = DAMM_V1_CONFIGS[feeOption]
  if (config === undefined) return undefined
  const mints = { base: pair.base.mint, quote: pair.quote.mint }
  const pool = await dammV1PoolAddress(config, mints.base, mints.quote)
  const addresses = await dammV1Addresses(pool, mints.base, mints.quote)
  return {
    venue: "damm_v1",
    pool: pool as string as Address,
    accounts: dammV1AccountAddresses(addresses),
    open: (accounts, clock) => {
      const state = readDammV1(addresses, accounts, mints, clock.seconds)
      return state && dammV1Venue(pair, pool, state, pointOf(clock, state.pool.activationType))
    },
  }
}

const dammV1Venue = (pair: TokenPair, address: string, state: DammV1State, currentPoint: bigint): TradingVenue => {
  const { a, b, pool } = state
  const reserves = dammV1Reserves(state)
  return {
    name: "damm_v1",
    address,
    currentPoint,
    activationPoint: pool.activationPoint,
    sqrtPrice: sqrtPriceOf(reserves ?? { a: 0n, b: 0n }),
    feeToken: (swap) => sidesOf(pair, swap).input,
    check: ({ swapBaseForQuote }) => {
      const because = (reason: PoolNotSwappable["reason"]) =>
        new PoolNotSwappable({ mintAddress: pair.base.mint, pool: address, reason })
      if (!pool.isEnabled) return because("disabled")
      // A vault that is switched off takes no deposits, and still pays out.
      return (swapBaseForQuote ? a : b).vault.isEnabled ? Effect.void : because("vault_disabled")
    },
    quote: ({ swapBaseForQuote }) =>
      Effect.succeed((amountIn) => {
        const fill = dammV1Fill(state, !swapBaseForQuote, amountIn)
        return fill && { amountOut: fill.amountOut, fee: fill.fee, nextSqrtPrice: sqrtPriceOf(fill.next) }
      }),
    end: "the vault of the pool has lent out the rest",
    instruction: (order) => dammV1SwapInstruction(address, state, order),
    view: (supply) => view(pair, address, state, supply),
  }
}

const view = (pair: TokenPair, address: string, state: DammV1State, supply: bigint): MigratedPool => {
  const { a, b, lpSupply, pool } = state
  const reserves = dammV1Reserves(state) ?? { a: 0n, b: 0n }
  const liquidity = squareRoot((reserves.a * reserves.b) << 128n)
  const locked = lpSupply === 0n ? 0n : (liquidity * pool.totalLockedLp) / lpSupply
  const feeBps =
    pool.tradeFeeDenominator === 0n
      ? 0
      : (Number(pool.tradeFeeNumerator) * BASIS_POINTS) / Number(pool.tradeFeeDenominator)
  return {
    pool: address as Address,
    baseVault: a.vault.tokenVault as Address,
    quoteVault: b.vault.tokenVault as Address,
    ...pricesOf(pair, sqrtPriceOf(reserves), supply),
    liquidity: liquidity.toString(),
    permanentLockedLiquidity: locked.toString(),
    baseReserve: reserves.a.toString(),
    quoteReserve: reserves.b.toString(),
    ...{ feeBps, baseFeeBps: feeBps, baseFeeMode: 0, dynamicFeeBps: 0, dynamicFeeEnabled: false },
    ...{ collectFeeMode: FEE_OF_INPUT, compoundingFeeBps: 0 },
    isEnabled: pool.isEnabled,
    activationPoint: pool.activationPoint.toString(),
    activationType: pool.activationType,
  }
}
