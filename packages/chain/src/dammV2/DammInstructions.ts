import type { Instruction } from "@solana/kit"
import type { DammV2Pool } from "./DammPoolAccount.ts"
import type { ClaimAccounts } from "../venues/Position.ts"
import { instructionData, readonly, signer, swapData, writable, writableOr } from "../venues/ProgramInstruction.ts"
import {
  DAMM_V2_EVENT_AUTHORITY,
  DAMM_V2_POOL_AUTHORITY,
  DAMM_V2_PROGRAM,
  SYSVAR_INSTRUCTIONS,
} from "../accounts/Programs.ts"
import type { SwapOrder } from "../venues/TradingVenue.ts"

/** `claim_position_fee` of the DAMM v2 program (IDL 0.2.0), without arguments. */
const CLAIM_POSITION_FEE = "b4269a118521a2d3"
const RATE_LIMITER = 2

/** `swap` of the DAMM v2 program (IDL 0.2.0). */
export const dammSwapInstruction = (
  { address, pair: { base, quote }, pool }: Omit<DammV2Pool, "currentPoint">,
  order: SwapOrder,
): Instruction => ({
  programAddress: DAMM_V2_PROGRAM,
  accounts: [
    readonly(DAMM_V2_POOL_AUTHORITY),
    writable(address),
    writable(order.inputTokenAccount),
    writable(order.outputTokenAccount),
    writable(pool.tokenAVault),
    writable(pool.tokenBVault),
    readonly(base.mint),
    readonly(quote.mint),
    signer(order.payer),
    readonly(base.program),
    readonly(quote.program),
    writableOr(DAMM_V2_PROGRAM, order.referralTokenAccount),
    readonly(DAMM_V2_EVENT_AUTHORITY),
    readonly(DAMM_V2_PROGRAM),
    // With a rate limiter the program makes sure that a transaction swaps in the pool once.
    ...(pool.baseFee.mode === RATE_LIMITER ? [readonly(SYSVAR_INSTRUCTIONS)] : []),
  ],
  data: swapData(order.amountIn, order.minimumAmountOut),
})

export const dammClaimInstruction = (
  { address, pair: { base, quote }, pool }: Omit<DammV2Pool, "currentPoint">,
  position: string,
  nftAccount: string,
  to: ClaimAccounts,
): Instruction => ({
  programAddress: DAMM_V2_PROGRAM,
  accounts: [
    readonly(DAMM_V2_POOL_AUTHORITY),
    readonly(address),
    writable(position),
    writable(to.baseAccount),
    writable(to.quoteAccount),
    writable(pool.tokenAVault),
    writable(pool.tokenBVault),
    readonly(base.mint),
    readonly(quote.mint),
    readonly(nftAccount),
    signer(to.wallet),
    readonly(base.program),
    readonly(quote.program),
    readonly(DAMM_V2_EVENT_AUTHORITY),
    readonly(DAMM_V2_PROGRAM),
  ],
  data: instructionData(CLAIM_POSITION_FEE),
})
