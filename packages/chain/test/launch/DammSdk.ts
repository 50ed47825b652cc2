import { createRequire } from "node:module"
import * as sdk from "@meteora-ag/cp-amm-sdk"
import BN from "bn.js"

/** web3.js v1 as the SDK itself resolves it. */
export const web3 = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/cp-amm-sdk"))("@solana/web3.js")

/** Meteora's SDK for DAMM v2, which what is computed here is compared with. It asks for a connection that nothing calls. */
export const client = new sdk.CpAmm(new web3.Connection("http://127.0.0.1:9", "confirmed"))

export const big = (value: bigint) => new BN(value.toString())

/** A pool account as the SDK decodes it. */
export const decodedPool = (bytes: Uint8Array): sdk.PoolState =>
  client._program.coder.accounts.decode("pool", Buffer.from(bytes))

interface Swap {
  readonly amountIn: bigint
  readonly isBuy: boolean
  readonly currentPoint: bigint
  readonly hasReferral: boolean
}

/** What the SDK computes for an exact-in swap; throws what it throws. */
export const sdkFill = (pool: sdk.PoolState, { amountIn, currentPoint, hasReferral, isBuy }: Swap) => {
  const direction = isBuy ? sdk.TradeDirection.BtoA : sdk.TradeDirection.AtoB
  const mode = sdk.getFeeMode(pool.collectFeeMode, direction, hasReferral)
  const result = sdk.getSwapResultFromExactInput(pool, big(amountIn), mode, direction, big(currentPoint))
  const { claimingFee, compoundingFee, nextSqrtPrice, outputAmount, protocolFee, referralFee } = result
  return {
    amountOut: BigInt(outputAmount.toString()),
    fee: BigInt(claimingFee.add(compoundingFee).add(protocolFee).add(referralFee).toString()),
    nextSqrtPrice: BigInt(nextSqrtPrice.toString()),
  }
}
