import { isFreeAddress, type RawAccount } from "./AccountReads.ts"
import { NATIVE_MINT, TOKEN_2022_PROGRAM } from "./Programs.ts"
import { EXTENSION, extensionOf } from "./TokenExtensions.ts"
import { type TokenAccount, tokenAccountOf } from "./TokenLayouts.ts"

/** What a transaction does with a wallet's token account, which it creates where there is none. */
export interface TokenAccountUse {
  /** The wallet, unless the account may be anybody's. */
  readonly owner?: string
  readonly mint: string
  readonly program: string
  /** A program that is called sends from it, with the signature of the owner. */
  readonly sends?: boolean
  readonly receives?: boolean
  readonly closes?: boolean
}

/** Why a token account cannot be used so. */
export interface TokenAccountFault {
  readonly code: "account_frozen" | "account_unusable"
  readonly message: string
}

/** What the owner of an account of Token-2022 can set, as a flag at an offset of an extension. */
interface Refusal {
  readonly type: number
  readonly at: number
  /** Value of the flag with which the account refuses. */
  readonly flag: boolean
  readonly when: "sends" | "receives"
  readonly why: string
}

const REFUSALS: ReadonlyArray<Refusal> = [
  { type: EXTENSION.memoTransfer, at: 0, flag: true, when: "receives", why: "takes no transfer without a memo" },
  { type: EXTENSION.cpiGuard, at: 0, flag: true, when: "sends", why: "lets no program send from it (CPI guard)" },
  {
    ...{ type: EXTENSION.confidentialTransferAccount, at: 262, flag: false, when: "receives" },
    why: "takes confidential transfers alone",
  },
]

/** Why a transaction fails that uses the account so; `undefined` where it does not, or creates the account first. */
export const tokenAccountFault = (
  account: RawAccount | undefined,
  use: TokenAccountUse,
): TokenAccountFault | undefined => {
  if (account === undefined || isFreeAddress(account)) return undefined
  const held = account.owner === use.program ? tokenAccountOf(account) : undefined
  const of = `the account for ${use.mint}`
  if (held?.mint !== use.mint) return unusable(`${of} is none: something else is at its address`)
  if (use.owner !== undefined && held.owner !== use.owner) return unusable(`${of} belongs to ${held.owner}`)
  if (held.isFrozen && (use.sends === true || use.receives === true))
    return { code: "account_frozen", message: `${of} is frozen` }
  const why = stateFault(held, use) ?? extensionFault(account, use)
  return why === undefined ? undefined : unusable(`${of} ${why}`)
}

const unusable = (message: string): TokenAccountFault => ({ code: "account_unusable", message })

const stateFault = ({ closeAuthority, isNative, owner }: TokenAccount, { closes, mint }: TokenAccountUse) => {
  if (mint === NATIVE_MINT && !isNative) return "holds no wrapped SOL"
  return closes === true && closeAuthority !== undefined && closeAuthority !== owner
    ? `can be closed by ${closeAuthority} alone`
    : undefined
}

const extensionFault = ({ data, owner }: RawAccount, use: TokenAccountUse): string | undefined => {
  if (owner !== TOKEN_2022_PROGRAM) return undefined
  return REFUSALS.find(({ at, flag, type, when }) => {
    const byte = use[when] === true ? extensionOf(data, type)?.[at] : undefined
    return byte !== undefined && (byte !== 0) === flag
  })?.why
}
