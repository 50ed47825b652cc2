import { getTransferSolInstruction } from "@solana-program/system"
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
} from "@solana-program/token"
import { type Address, createNoopSigner, type Instruction } from "@solana/kit"
import type { PoolToken } from "../venues/TokenPair.ts"

/** Creates an account for a token where it is missing: the wallet's own, or one that it pays for. */
export const createTokenAccount = (
  wallet: string,
  account: string,
  { mint, program }: Omit<PoolToken, "decimals">,
  owner: string = wallet,
): Instruction => {
  const payer = createNoopSigner(wallet as Address)
  return getCreateAssociatedTokenIdempotentInstruction({
    ...{ payer, owner: owner as Address, ata: account as Address, mint: mint as Address },
    tokenProgram: program as Address,
  })
}

/** Wraps SOL of a wallet in its account for it. */
export const wrapSol = (wallet: string, account: string, amount: bigint): ReadonlyArray<Instruction> => [
  getTransferSolInstruction({
    ...{ source: createNoopSigner(wallet as Address), destination: account as Address, amount },
  }),
  getSyncNativeInstruction({ account: account as Address }),
]

/** Closes a wallet's account for wrapped SOL, which unwraps all that it holds. */
export const unwrapSol = (wallet: string, account: string): Instruction => {
  const owner = createNoopSigner(wallet as Address)
  return getCloseAccountInstruction({ account: account as Address, destination: owner.address, owner })
}
