import type { RawAccount } from "./AccountReads.ts"
import { DBC_PROGRAM, TOKEN_2022_PROGRAM } from "./Programs.ts"
import { mintExtensions } from "./TokenExtensions.ts"
import { type MintAccount, mintOf } from "./TokenLayouts.ts"

/** `TokenBadge` (DBC IDL 0.2.1): Meteora's approval of a mint whose extensions the program refuses otherwise. */
const TOKEN_BADGE = "74dbcce5f974ff96"
/** The native mint of Token-2022, which the program takes for no curve. */
const NATIVE_MINT_2022 = "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9"
const TAKEN = ["metadata pointer", "token metadata"]

/** A mint that curves are priced in. */
export interface QuoteMint extends MintAccount {
  /** Why the program takes no curve of it (`is_supported_quote_mint`); `undefined` of one that it takes. */
  readonly fault: string | undefined
  /** Account that the instructions name after their own, where the mint has one. */
  readonly badge: string | undefined
}

/** The quote mint in an account, with the account at the address of its badge. */
export const quoteMintOf = (
  mint: string,
  account: RawAccount | undefined,
  badge: { readonly address: string; readonly account: RawAccount | undefined },
): QuoteMint | undefined => {
  const found = mintOf(account)
  if (found === undefined) return undefined
  const { data, owner } = badge.account ?? { owner: undefined, data: new Uint8Array() }
  const isBadge = owner === DBC_PROGRAM && Buffer.from(data.subarray(0, 8)).toString("hex") === TOKEN_BADGE
  if (isBadge) return { ...found, fault: undefined, badge: badge.address }
  return { ...found, fault: faultOf(mint, found.program, account!.data), badge: undefined }
}

const faultOf = (mint: string, program: string, data: Uint8Array): string | undefined => {
  if (program !== TOKEN_2022_PROGRAM) return undefined
  if (mint === NATIVE_MINT_2022)
    return "expected the SOL of SPL Token: the program takes no curve in that of Token-2022"
  const refused = mintExtensions(data).filter((extension) => !TAKEN.includes(extension))
  if (refused.length === 0) return undefined
  return `expected a mint without ${refused.join(", ")}: the program takes such a token only where Meteora has given it a badge`
}
