import { getMintDecoder, getTokenDecoder, AccountState } from "@solana-program/token"
import { unwrapOption } from "@solana/kit"
import { TOKEN_2022_PROGRAM } from "../accounts/Programs.ts"
import { MINT_BYTES, mintOf, TOKEN_ACCOUNT_BYTES, tokenAccountOf } from "../accounts/TokenLayouts.ts"
import type { Account } from "./Account.ts"
import { uiAmount } from "./UiAmount.ts"

/**
 * The data of a mint or token account as `jsonParsed` has it, without its extensions; nothing for any other account,
 * which is answered in base64. `decimalsOf` a mint.
 */
export const parsedData = (account: Account, decimalsOf: (mint: string) => number | undefined) => {
  const { data, owner } = account
  const program = owner === TOKEN_2022_PROGRAM ? "spl-token-2022" : "spl-token"
  const space = data.length
  if (mintOf(account) !== undefined) {
    const mint = getMintDecoder().decode(data.subarray(0, MINT_BYTES))
    const info = {
      mintAuthority: unwrapOption(mint.mintAuthority),
      supply: String(mint.supply),
      decimals: mint.decimals,
      isInitialized: mint.isInitialized,
      freezeAuthority: unwrapOption(mint.freezeAuthority),
    }
    return { program, parsed: { type: "mint", info }, space }
  }
  if (tokenAccountOf(account) === undefined) return undefined
  const held = getTokenDecoder().decode(data.subarray(0, TOKEN_ACCOUNT_BYTES))
  const decimals = decimalsOf(held.mint)
  if (decimals === undefined) return undefined
  const [delegate, closeAuthority] = [unwrapOption(held.delegate), unwrapOption(held.closeAuthority)]
  const rentReserve = unwrapOption(held.isNative)
  const info = {
    mint: held.mint,
    owner: held.owner,
    tokenAmount: uiAmount(held.amount, decimals),
    state: AccountState[held.state].toLowerCase(),
    isNative: rentReserve !== null,
    ...(rentReserve !== null && { rentExemptReserve: uiAmount(rentReserve, decimals) }),
    ...(delegate !== null && { delegate, delegatedAmount: uiAmount(held.delegatedAmount, decimals) }),
    ...(closeAuthority !== null && { closeAuthority }),
  }
  return { program, parsed: { type: "account", info }, space }
}
