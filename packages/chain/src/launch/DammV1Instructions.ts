import { AccountRole, type Address, type Instruction } from "@solana/kit"
import type { DammV1PoolAccount, DynamicVaultAccount } from "./DammV1Accounts.ts"
import { DAMM_V1_PROGRAM, DYNAMIC_VAULT_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"

/** `swap` of the DAMM v1 program (dynamic-amm IDL): u64 amount in, u64 minimum amount out. */
const SWAP = "f8c69e91e17587c8"

const { READONLY, READONLY_SIGNER, WRITABLE } = AccountRole

const account = (address: string, role: AccountRole) => ({ address: address as Address, role })

/** Accounts of a swap in a DAMM v1 pool. */
export interface DammV1SwapAccounts {
  readonly address: string
  readonly pool: DammV1PoolAccount
  readonly vaultA: DynamicVaultAccount
  readonly vaultB: DynamicVaultAccount
  readonly isBuy: boolean
  readonly inputTokenAccount: string
  readonly outputTokenAccount: string
  readonly payer: string
  /** Receives a part of the fee, in the token that is sent. */
  readonly referralTokenAccount?: string
}

/** Swaps exactly `amountIn` for at least `minimumAmountOut` in a DAMM v1 pool, in smallest units. */
export const dammV1SwapInstruction = (
  accounts: DammV1SwapAccounts,
  amountIn: bigint,
  minimumAmountOut: bigint,
): Instruction => {
  const { isBuy, pool, vaultA, vaultB } = accounts
  const data = Buffer.alloc(24)
  data.write(SWAP, "hex")
  data.writeBigUInt64LE(amountIn, 8)
  data.writeBigUInt64LE(minimumAmountOut, 16)
  return {
    programAddress: DAMM_V1_PROGRAM,
    accounts: [
      account(accounts.address, WRITABLE),
      account(accounts.inputTokenAccount, WRITABLE),
      account(accounts.outputTokenAccount, WRITABLE),
      account(pool.aVault, WRITABLE),
      account(pool.bVault, WRITABLE),
      account(vaultA.tokenVault, WRITABLE),
      account(vaultB.tokenVault, WRITABLE),
      account(vaultA.lpMint, WRITABLE),
      account(vaultB.lpMint, WRITABLE),
      account(pool.aVaultLp, WRITABLE),
      account(pool.bVaultLp, WRITABLE),
      // Of the token that is sent.
      account(isBuy ? pool.protocolTokenBFee : pool.protocolTokenAFee, WRITABLE),
      account(accounts.payer, READONLY_SIGNER),
      account(DYNAMIC_VAULT_PROGRAM, READONLY),
      account(TOKEN_PROGRAM, READONLY),
      ...(accounts.referralTokenAccount === undefined ? [] : [account(accounts.referralTokenAccount, WRITABLE)]),
    ],
    data: Uint8Array.from(data),
  }
}
