import { getTransferSolInstruction } from "@solana-program/system"
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
} from "@solana-program/token"
import { type Address, createNoopSigner, type Instruction } from "@solana/kit"
import { associatedTokenAddress } from "./DerivedAddresses.ts"
import { swapInstruction } from "./Instructions.ts"
import type { LocatedCurve } from "./Pools.ts"
import { sidesOf } from "./SwapChecks.ts"
import { NATIVE_MINT } from "./Programs.ts"

const RATE_LIMITER = 2

/** An exact-in swap by `owner`, in smallest units. */
export interface SwapOrder {
  readonly owner: string
  readonly amountIn: bigint
  readonly minimumAmountOut: bigint
  readonly swapBaseForQuote: boolean
  readonly referralTokenAccount?: string
}

/**
 * The instructions of a swap: both token accounts of the owner are created where they are missing, SOL is wrapped
 * before and unwrapped after. Unwrapping closes the owner's wrapped SOL account, so what it held before is unwrapped
 * with it.
 */
export const swapInstructions = async (curve: LocatedCurve, order: SwapOrder): Promise<ReadonlyArray<Instruction>> => {
  const { address, config, pool } = curve
  const { base, input, output, quote } = sidesOf(
    { pool: address, config, baseMint: pool.baseMint },
    order.swapBaseForQuote,
  )
  const [inputTokenAccount, outputTokenAccount] = await Promise.all([
    associatedTokenAddress(order.owner, input.mint, input.program),
    associatedTokenAddress(order.owner, output.mint, output.program),
  ])
  const owner = createNoopSigner(order.owner as Address)
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
          getTransferSolInstruction({ source: owner, destination: inputTokenAccount, amount: order.amountIn }),
          getSyncNativeInstruction({ account: inputTokenAccount }),
        ]
      : []
  const nativeAccount =
    input.mint === NATIVE_MINT ? inputTokenAccount : output.mint === NATIVE_MINT ? outputTokenAccount : undefined
  const unwrap: ReadonlyArray<Instruction> =
    nativeAccount === undefined
      ? []
      : [getCloseAccountInstruction({ account: nativeAccount, destination: owner.address, owner })]
  const swap = swapInstruction(
    {
      config: pool.config,
      pool: address,
      inputTokenAccount,
      outputTokenAccount,
      baseVault: pool.baseVault,
      quoteVault: pool.quoteVault,
      baseMint: pool.baseMint,
      quoteMint: config.quoteMint,
      payer: order.owner,
      tokenBaseProgram: base.program,
      tokenQuoteProgram: quote.program,
      readsInstructions: config.baseFeeMode === RATE_LIMITER || config.enableFirstSwapWithMinFee,
      ...(order.referralTokenAccount === undefined ? {} : { referralTokenAccount: order.referralTokenAccount }),
    },
    order.amountIn,
    order.minimumAmountOut,
  )
  return [create(inputTokenAccount, input), create(outputTokenAccount, output), ...wrap, swap, ...unwrap]
}
