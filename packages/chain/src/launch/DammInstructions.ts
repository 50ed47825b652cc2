import { AccountRole, type Address, type Instruction } from "@solana/kit"
import type { MigratedSnapshot } from "./CurveSnapshot.ts"
import type { TraderAccounts } from "./Instructions.ts"
import { DAMM_V2_EVENT_AUTHORITY, DAMM_V2_POOL_AUTHORITY, DAMM_V2_PROGRAM, SYSVAR_INSTRUCTIONS } from "./Programs.ts"

/** `swap` of the DAMM v2 program (IDL 0.2.0): u64 amount in, u64 minimum amount out. */
const SWAP = "f8c69e91e17587c8"
const RATE_LIMITER = 2

const { READONLY, READONLY_SIGNER, WRITABLE } = AccountRole

const account = (address: string, role: AccountRole) => ({ address: address as Address, role })

/** Swaps exactly `amountIn` for at least `minimumAmountOut` in a DAMM v2 pool, in smallest units. */
export const dammSwapInstruction = (
  { address, pool }: MigratedSnapshot,
  accounts: TraderAccounts,
  amountIn: bigint,
  minimumAmountOut: bigint,
): Instruction => {
  const data = Buffer.alloc(24)
  data.write(SWAP, "hex")
  data.writeBigUInt64LE(amountIn, 8)
  data.writeBigUInt64LE(minimumAmountOut, 16)
  return {
    programAddress: DAMM_V2_PROGRAM,
    accounts: [
      account(DAMM_V2_POOL_AUTHORITY, READONLY),
      account(address, WRITABLE),
      account(accounts.inputTokenAccount, WRITABLE),
      account(accounts.outputTokenAccount, WRITABLE),
      account(pool.tokenAVault, WRITABLE),
      account(pool.tokenBVault, WRITABLE),
      account(accounts.baseMint, READONLY),
      account(accounts.quoteMint, READONLY),
      account(accounts.payer, READONLY_SIGNER),
      account(accounts.tokenBaseProgram, READONLY),
      account(accounts.tokenQuoteProgram, READONLY),
      // An optional account that is left out is written as the program itself.
      accounts.referralTokenAccount === undefined
        ? account(DAMM_V2_PROGRAM, READONLY)
        : account(accounts.referralTokenAccount, WRITABLE),
      account(DAMM_V2_EVENT_AUTHORITY, READONLY),
      account(DAMM_V2_PROGRAM, READONLY),
      // With a rate limiter the program makes sure that a transaction swaps in the pool once.
      ...(pool.baseFee.mode === RATE_LIMITER ? [account(SYSVAR_INSTRUCTIONS, READONLY)] : []),
    ],
    data: Uint8Array.from(data),
  }
}
