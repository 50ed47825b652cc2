import type { Instruction } from "@solana/kit"
import type { DammV1State } from "./DammV1Math.ts"
import { readonly, signer, swapData, writable } from "../venues/ProgramInstruction.ts"
import { DAMM_V1_PROGRAM, DYNAMIC_VAULT_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import type { SwapOrder } from "../venues/TradingVenue.ts"

/** `swap` of the DAMM v1 program (dynamic-amm IDL). A referral receives a part of the fee, in the token that is sent. */
export const dammV1SwapInstruction = (
  address: string,
  { a, b, pool }: Pick<DammV1State, "a" | "b" | "pool">,
  order: SwapOrder,
): Instruction => ({
  programAddress: DAMM_V1_PROGRAM,
  accounts: [
    writable(address),
    writable(order.inputTokenAccount),
    writable(order.outputTokenAccount),
    writable(pool.aVault),
    writable(pool.bVault),
    writable(a.vault.tokenVault),
    writable(b.vault.tokenVault),
    writable(a.vault.lpMint),
    writable(b.vault.lpMint),
    writable(pool.aVaultLp),
    writable(pool.bVaultLp),
    // Of the token that is sent.
    writable(order.swapBaseForQuote ? pool.protocolTokenAFee : pool.protocolTokenBFee),
    signer(order.payer),
    readonly(DYNAMIC_VAULT_PROGRAM),
    readonly(TOKEN_PROGRAM),
    ...(order.referralTokenAccount === undefined ? [] : [writable(order.referralTokenAccount)]),
  ],
  data: swapData(order.amountIn, order.minimumAmountOut),
})
