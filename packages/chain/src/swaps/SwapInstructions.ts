import type { Instruction } from "@solana/kit"
import { associatedTokenAddress } from "../accounts/DerivedAddresses.ts"
import type { CurveSnapshot } from "../dbc/CurveSnapshot.ts"
import { NATIVE_MINT } from "../accounts/Programs.ts"
import { createTokenAccount, unwrapSol, wrapSol } from "../build/TokenAccountInstructions.ts"
import { sidesOf, type WalletSwap } from "../venues/TokenPair.ts"

/**
 * The instructions of a swap: both token accounts of the owner are created where they are missing, SOL is wrapped
 * before and unwrapped after. Unwrapping closes the owner's wrapped SOL account, so what it held before is unwrapped
 * with it.
 */
export const swapInstructions = async (
  curve: CurveSnapshot,
  swap: WalletSwap,
  minimumAmountOut: bigint,
): Promise<ReadonlyArray<Instruction>> => {
  const { amountIn, referralTokenAccount, signer, swapBaseForQuote } = swap
  const { input, output } = sidesOf(curve, swap)
  const [inputTokenAccount, outputTokenAccount] = await Promise.all([
    associatedTokenAddress(signer, input.mint, input.program),
    associatedTokenAddress(signer, output.mint, output.program),
  ])
  const sendsSol = input.mint === NATIVE_MINT
  const native = sendsSol ? inputTokenAccount : output.mint === NATIVE_MINT ? outputTokenAccount : undefined
  return [
    createTokenAccount(signer, inputTokenAccount, input),
    createTokenAccount(signer, outputTokenAccount, output),
    ...(sendsSol ? wrapSol(signer, inputTokenAccount, amountIn) : []),
    curve.venue.instruction({
      ...{ swapBaseForQuote, amountIn, minimumAmountOut, inputTokenAccount, outputTokenAccount },
      ...{ payer: signer, referralTokenAccount },
    }),
    ...(native === undefined ? [] : [unwrapSol(signer, native)]),
  ]
}
