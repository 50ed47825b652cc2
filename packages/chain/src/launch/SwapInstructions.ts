import { getTransferSolInstruction } from "@solana-program/system"
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
} from "@solana-program/token"
import { type Address, createNoopSigner, type Instruction } from "@solana/kit"
import { associatedTokenAddress } from "./DerivedAddresses.ts"
import { dammSwapInstruction } from "./DammInstructions.ts"
import { dammV1SwapInstruction } from "./DammV1Instructions.ts"
import { swapInstruction } from "./Instructions.ts"
import type { CurveSnapshot } from "./CurveSnapshot.ts"
import { NATIVE_MINT } from "./Programs.ts"
import { sidesOf, type WalletSwap } from "./Swap.ts"

const RATE_LIMITER = 2

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
  const { address, config, migrated, migratedV1, pool } = curve
  const { base, input, output, quote } = sidesOf(curve, swap)
  const [inputTokenAccount, outputTokenAccount] = await Promise.all([
    associatedTokenAddress(swap.signer, input.mint, input.program),
    associatedTokenAddress(swap.signer, output.mint, output.program),
  ])
  const owner = createNoopSigner(swap.signer as Address)
  const create = (ata: Address, { mint, program }: typeof base): Instruction =>
    getCreateAssociatedTokenIdempotentInstruction({
      payer: owner,
      ata,
      owner: owner.address,
      mint: mint as Address,
      tokenProgram: program,
    })
  const wrap: ReadonlyArray<Instruction> =
    input.mint === NATIVE_MINT
      ? [
          getTransferSolInstruction({ source: owner, destination: inputTokenAccount, amount: swap.amountIn }),
          getSyncNativeInstruction({ account: inputTokenAccount }),
        ]
      : []
  const nativeAccount =
    input.mint === NATIVE_MINT ? inputTokenAccount : output.mint === NATIVE_MINT ? outputTokenAccount : undefined
  const unwrap: ReadonlyArray<Instruction> =
    nativeAccount === undefined
      ? []
      : [getCloseAccountInstruction({ account: nativeAccount, destination: owner.address, owner })]
  const shared = {
    inputTokenAccount,
    outputTokenAccount,
    baseMint: pool.baseMint,
    quoteMint: config.quoteMint,
    payer: swap.signer,
    tokenBaseProgram: base.program,
    tokenQuoteProgram: quote.program,
    ...(swap.referralTokenAccount === undefined ? {} : { referralTokenAccount: swap.referralTokenAccount }),
  }
  const onCurve = {
    config: pool.config,
    pool: address,
    baseVault: pool.baseVault,
    quoteVault: pool.quoteVault,
    readsInstructions: config.baseFeeMode === RATE_LIMITER || config.enableFirstSwapWithMinFee,
  }
  const exchange = () => {
    if (migrated !== undefined) return dammSwapInstruction(migrated, shared, swap.amountIn, minimumAmountOut)
    if (migratedV1 === undefined) return swapInstruction({ ...onCurve, ...shared }, swap.amountIn, minimumAmountOut)
    const { a, b, pool: onV1 } = migratedV1.state
    const accounts = {
      ...{ ...shared, address: migratedV1.address, pool: onV1, vaultA: a.vault, vaultB: b.vault },
      isBuy: !swap.swapBaseForQuote,
    }
    return dammV1SwapInstruction(accounts, swap.amountIn, minimumAmountOut)
  }
  return [create(inputTokenAccount, input), create(outputTokenAccount, output), ...wrap, exchange(), ...unwrap]
}
