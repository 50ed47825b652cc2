import { AccountReader } from "./AccountReader.ts"
import type { RawAccount } from "./AccountReads.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"

/** A token account (SPL Token `Account`): mint @0, owner @32, amount @64, state @108. */
export const TOKEN_ACCOUNT_BYTES = 165
/** Account type of Token-2022, after the base layout: 1 a mint, 2 a token account. */
export const ACCOUNT_TYPE_OFFSET = 165
const MINT_TYPE = 1
/** A mint (SPL Token `Mint`): supply @36, decimals @44. */
const MINT_BYTES = 82

/** A token mint, of either token program. */
export interface MintAccount {
  readonly program: string
  /** Smallest units. */
  readonly supply: bigint
  readonly decimals: number
}

/** The mint in an account, or nothing: token programs own other accounts as well. */
export const mintOf = (account: RawAccount | undefined): MintAccount | undefined => {
  if (account === undefined) return undefined
  const { data, owner } = account
  const isMint =
    owner === TOKEN_2022_PROGRAM && data.length > ACCOUNT_TYPE_OFFSET
      ? data[ACCOUNT_TYPE_OFFSET] === MINT_TYPE
      : (owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM) && data.length === MINT_BYTES
  if (!isMint) return undefined
  const reader = new AccountReader(data)
  return { program: owner, supply: reader.u64(36), decimals: reader.u8(44) }
}
