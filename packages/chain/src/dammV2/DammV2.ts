import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import type { MigratedPool } from "@launch-registry/domain/pools/MigratedPool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { Effect } from "effect"
import type { ExtraAccounts } from "../accounts/AccountReads.ts"
import { pointOf } from "../accounts/Clock.ts"
import { baseFeeNumerator, bpsOf, dynamicFeeNumerator, feeNumerator, isFeeKnown } from "./DammFees.ts"
import { dammSwapInstruction } from "./DammInstructions.ts"
import { dammFill, dammReserves } from "./DammMath.ts"
import { type DammV2Pool, decodeDammPool } from "./DammPoolAccount.ts"
import { dammPosition } from "./DammPosition.ts"
import { dammV2PoolAddress } from "../accounts/DerivedAddresses.ts"
import { pricesOf } from "../venues/Prices.ts"
import { DAMM_V2_CONFIGS, DAMM_V2_PROGRAM } from "../accounts/Programs.ts"
import { mintOf } from "../accounts/TokenLayouts.ts"
import { type TokenPair, tokenProgram } from "../venues/TokenPair.ts"
import type { Destination, TradingVenue } from "../venues/TradingVenue.ts"
import { extendableMints, type ExtendableMint, transferExtension } from "../venues/TransferExtensions.ts"

/**
 * Where curves of a `migrationFeeOption` migrate to. The DBC program accepts no other DAMM configurations, and these let nobody but the DBC
 * program create a pool, so nobody else can have one at this address.
 */
export const dammV2Destination = async (pair: TokenPair, feeOption: number): Promise<Destination | undefined> => {
  const config = DAMM_V2_CONFIGS[feeOption]
  if (config === undefined) return undefined
  const address = await dammV2PoolAddress(config, pair.base.mint, pair.quote.mint)
  return {
    venue: "damm_v2",
    pool: address as string as Address,
    accounts: [address],
    open: ([account], clock) => {
      const pool = account?.owner === DAMM_V2_PROGRAM ? decodeDammPool(account.data) : undefined
      const isOfPair =
        pool?.tokenAMint === pair.base.mint &&
        pool.tokenBMint === pair.quote.mint &&
        tokenProgram(pool.tokenAFlag) === pair.base.program &&
        tokenProgram(pool.tokenBFlag) === pair.quote.program
      return isOfPair
        ? dammV2Venue({ pair, address, pool, currentPoint: pointOf(clock, pool.activationType) })
        : undefined
    },
  }
}

export const dammV2Venue = (of: DammV2Pool): TradingVenue => {
  const { address, currentPoint, pair, pool } = of
  return {
    name: "damm_v2",
    address,
    currentPoint,
    activationPoint: pool.activationPoint,
    sqrtPrice: pool.sqrtPrice,
    feeToken: ({ swapBaseForQuote }) => (pool.collectFeeMode === 0 && !swapBaseForQuote ? pair.base : pair.quote),
    check: (_, mints) => check(of, mints),
    quote: ({ swapBaseForQuote }) =>
      Effect.succeed((amountIn) => dammFill(pool, { amountIn, isBuy: !swapBaseForQuote, currentPoint })),
    end: "the price range of the pool ends there",
    instruction: (order) => dammSwapInstruction(of, order),
    view: (supply) => view(of, supply),
    position: (position, account) => dammPosition(of, position, account),
  }
}

const check = Effect.fnUntraced(function* (
  { address, pair, pool }: DammV2Pool,
  mints: ExtraAccounts<ExtendableMint>,
): Effect.fn.Return<void, PoolNotSwappable | Unavailable> {
  const because = (reason: PoolNotSwappable["reason"]) =>
    new PoolNotSwappable({ mintAddress: pair.base.mint, pool: address, reason })
  if (!pool.isEnabled) return yield* because("disabled")
  if (!isFeeKnown(pool)) return yield* because("unknown_fee")
  for (const [name, expected] of Object.entries(extendableMints(pair))) {
    if (expected === undefined) continue
    const mint = mints[name as ExtendableMint]
    // A node that has the pool has its mints.
    if (mint === undefined || mintOf(mint) === undefined) return yield* new Unavailable({ service: "chain" })
    const extension = transferExtension(mint)
    if (extension !== undefined) return yield* because(extension)
  }
})

const view = ({ address, currentPoint, pair, pool }: DammV2Pool, supply: bigint): MigratedPool => {
  const { baseFee } = pool
  const smallest = { amountIn: 0n, isBuy: true, currentPoint }
  const reserves = dammReserves(pool)
  const base = baseFeeNumerator(pool, smallest) ?? baseFee.cliffFeeNumerator
  return {
    pool: address as Address,
    baseVault: pool.tokenAVault as Address,
    quoteVault: pool.tokenBVault as Address,
    ...pricesOf(pair, pool.sqrtPrice, supply),
    liquidity: pool.liquidity.toString(),
    permanentLockedLiquidity: pool.permanentLockLiquidity.toString(),
    baseReserve: reserves.a.toString(),
    quoteReserve: reserves.b.toString(),
    feeBps: bpsOf(feeNumerator(pool, smallest) ?? base),
    baseFeeBps: bpsOf(base),
    baseFeeMode: baseFee.mode === "unknown" ? baseFee.byte : baseFee.mode,
    dynamicFeeBps: bpsOf(dynamicFeeNumerator(pool.dynamicFee)),
    dynamicFeeEnabled: pool.dynamicFee.isEnabled,
    collectFeeMode: pool.collectFeeMode,
    compoundingFeeBps: Number(pool.compoundingFeeBps),
    isEnabled: pool.isEnabled,
    activationPoint: pool.activationPoint.toString(),
    activationType: pool.activationType,
  }
}
