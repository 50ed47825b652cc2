import { CurveCompleted, PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import { Effect } from "effect"
import { type Curve, graduatedPool, isComplete, venueOf } from "./CurveSnapshot.ts"
import { loadDbcSdk } from "./DbcSdk.ts"
import { swapInstruction } from "./DbcInstructions.ts"
import { hasTransferHook } from "./PoolAccount.ts"
import type { TradingVenue } from "../venues/TradingVenue.ts"

const RATE_LIMITER = 2

/** The curve itself as the venue, until it has migrated. */
export const curveVenue = (curve: Curve): TradingVenue => {
  const { address, base, config, currentPoint, pool, quote } = curve
  return {
    name: "dbc",
    address,
    currentPoint,
    activationPoint: pool.activationPoint,
    sqrtPrice: pool.sqrtPrice,
    feeToken: ({ swapBaseForQuote }) => (config.collectFeeMode === 1 && !swapBaseForQuote ? base : quote),
    check: () => {
      const [mintAddress, { isMigrated }] = [base.mint, pool]
      if (isComplete(curve) || isMigrated)
        return new CurveCompleted({
          ...{ mintAddress, isMigrated, graduatedPool: graduatedPool(curve), venue: venueOf(curve) },
        })
      return hasTransferHook(curve.poolBytes)
        ? new PoolNotSwappable({ mintAddress, pool: address, reason: "transfer_hook" })
        : Effect.void
    },
    quote: (swap) => Effect.promise(async () => (await loadDbcSdk()).quoting(curve, swap)),
    end: "the curve has no more to give",
    instruction: (order) =>
      swapInstruction(
        {
          ...{
            config: pool.config,
            pool: address,
            baseVault: pool.baseVault,
            quoteVault: pool.quoteVault,
            base,
            quote,
          },
          readsInstructions: config.baseFeeMode === RATE_LIMITER || config.enableFirstSwapWithMinFee,
        },
        order,
      ),
  }
}
