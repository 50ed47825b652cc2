import type { EncodedAccount } from "@solana/kit"
import { SYSTEM_PROGRAM } from "../accounts/Programs.ts"

/** An account of the local chain. */
export interface Account {
  readonly address: string
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
  readonly executable: boolean
}

/** An address without an account, as accounts are notified and written: without lamports. */
export const goneAccount = (address: string): Account => ({
  address,
  owner: SYSTEM_PROGRAM,
  lamports: 0n,
  data: new Uint8Array(),
  executable: false,
})

/** An account as LiteSVM has it. */
export const storedAccount = ({ address, data, executable, lamports, programAddress }: EncodedAccount): Account => ({
  ...{ address, owner: programAddress, lamports, executable },
  data: Uint8Array.from(data),
})
