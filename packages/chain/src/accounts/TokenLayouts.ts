import { AccountReader } from "./AccountReader.ts"
import type { RawAccount } from "./AccountReads.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"

/**
 * A token account (SPL Token `Account`): mint @0, owner @32, amount @64, state @108 (0 none, 2 frozen), whether it holds wrapped SOL
 * @109 (u32), whether there is a close authority @129 (u32), and that @133.
 */
export const TOKEN_ACCOUNT_BYTES = 165
const FROZEN = 2
/** Account type of Token-2022, after the base layout: 1 a mint, 2 a token account. */
export const ACCOUNT_TYPE_OFFSET = 165
const MINT_TYPE = 1
const TOKEN_ACCOUNT_TYPE = 2
/** A mint (SPL Token `Mint`): supply @36, decimals @44. */
export const MINT_BYTES = 82

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

/** A token account, of either token program. */
export interface TokenAccount {
  readonly mint: string
  readonly owner: string
  /** Smallest units. */
  readonly amount: bigint
  readonly isFrozen: boolean
  /** Holds wrapped SOL. */
  readonly isNative: boolean
  /** Who closes it instead of the owner. */
  readonly closeAuthority: string | undefined
}

/** The initialized token account in an account, or nothing. */
export const tokenAccountOf = ({ data, owner }: RawAccount): TokenAccount | undefined => {
  const isLong = owner === TOKEN_2022_PROGRAM && data[ACCOUNT_TYPE_OFFSET] === TOKEN_ACCOUNT_TYPE
  const isOfProgram = owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM
  if (!isOfProgram || (data.length !== TOKEN_ACCOUNT_BYTES && !isLong)) return undefined
  const reader = new AccountReader(data)
  const state = reader.u8(108)
  if (state === 0) return undefined
  return {
    ...{ mint: reader.address(0), owner: reader.address(32), amount: reader.u64(64), isFrozen: state === FROZEN },
    isNative: reader.u32(109) === 1,
    closeAuthority: reader.u32(129) === 1 ? reader.address(133) : undefined,
  }
}
