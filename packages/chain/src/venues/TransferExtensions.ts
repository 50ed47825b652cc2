import { isFreeAddress, type RawAccount } from "../accounts/AccountReads.ts"
import { TOKEN_2022_PROGRAM } from "../accounts/Programs.ts"
import type { TokenAccountFault } from "../accounts/TokenAccountChecks.ts"
import { EXTENSION, extensionOf } from "../accounts/TokenExtensions.ts"
import type { TokenPair } from "./TokenPair.ts"

/** The program of a hook, and whether transfers are paused, stand after the authority. */
const AFTER_AUTHORITY = 32
const FROZEN = 2

/**
 * What a transfer of this mint does besides: DAMM v2 takes transfer fees into account, which quotes here do not, and calls
 * no hooks. `undefined` when it does nothing. Tokens that the DBC program creates have neither.
 */
export const transferExtension = ({ data, owner }: RawAccount): "transfer_fee" | "transfer_hook" | undefined => {
  if (owner !== TOKEN_2022_PROGRAM) return undefined
  if (extensionOf(data, EXTENSION.transferFeeConfig) !== undefined) return "transfer_fee"
  const hook = extensionOf(data, EXTENSION.transferHook)?.subarray(AFTER_AUTHORITY)
  return hook?.some((byte) => byte !== 0) === true ? "transfer_hook" : undefined
}

/** Why a mint lets nothing be transferred to or from a wallet's account for it, which is created where there is none. */
export const transferFault = (
  mint: RawAccount | undefined,
  account: RawAccount | undefined,
): TokenAccountFault | undefined => {
  if (mint?.owner !== TOKEN_2022_PROGRAM) return undefined
  const { data } = mint
  const unusable = (message: string) => ({ code: "account_unusable", message }) as const
  if (extensionOf(data, EXTENSION.nonTransferable) !== undefined) return unusable("the token cannot be transferred")
  if (extensionOf(data, EXTENSION.pausable)?.[AFTER_AUTHORITY] === 1)
    return unusable("transfers of the token are paused")
  return isFreeAddress(account) && extensionOf(data, EXTENSION.defaultAccountState)?.[0] === FROZEN
    ? { code: "account_frozen", message: "new accounts for the token are frozen" }
    : undefined
}

/** A mint that is read for its extensions. */
export type ExtendableMint = "baseMint" | "quoteMint"

/** Mints that can have extensions: they are read with the pool. */
export const extendableMints = ({ base, quote }: TokenPair): Readonly<Record<ExtendableMint, string | undefined>> => ({
  baseMint: base.program === TOKEN_2022_PROGRAM ? base.mint : undefined,
  quoteMint: quote.program === TOKEN_2022_PROGRAM ? quote.mint : undefined,
})
