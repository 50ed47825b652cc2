import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { InsufficientFunds } from "@launch-registry/domain/launch/InsufficientFunds"
import { AccountReader } from "./AccountReader.ts"
import type { RawAccount } from "./AccountReads.ts"
import { associatedTokenAddress } from "./DerivedAddresses.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"
import { TOKEN_ACCOUNT_BYTES } from "./TokenLayouts.ts"

/** `owner`, `amount` and `state` of a token account. */
const OWNER_OFFSET = 32
const AMOUNT_OFFSET = 64
const STATE_OFFSET = 108
const STATE_FROZEN = 2

/** The accounts that a wallet may have for the quote token: before the mint is read, its program is not known. */
export const quoteAccounts = async (signer: string, quoteMint: string) => {
  const [ofSpl, of2022] = await Promise.all(
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => associatedTokenAddress(signer, quoteMint, program)),
  )
  return { ofSpl: ofSpl!, of2022: of2022! }
}

/** Why the wallet cannot send the quote tokens of a first buy, where they are not SOL. */
export const quoteTokenFault = (
  account: RawAccount | undefined,
  { amountIn, quoteMint, signer }: { readonly signer: string; readonly quoteMint: string; readonly amountIn: bigint },
): InsufficientFunds | InvalidIssue | undefined => {
  const reader =
    account === undefined || account.data.length < TOKEN_ACCOUNT_BYTES ? undefined : new AccountReader(account.data)
  const held = reader?.u64(AMOUNT_OFFSET) ?? 0n
  if (held < amountIn)
    return new InsufficientFunds({
      ...{ signer, mint: quoteMint, held: held.toString(), required: amountIn.toString() },
      shortfall: (amountIn - held).toString(),
    })
  if (reader !== undefined && reader.address(OWNER_OFFSET) !== signer)
    return { path: "body.signer", message: "expected a wallet that still owns its account of the quote token" }
  return reader?.u8(STATE_OFFSET) === STATE_FROZEN
    ? { path: "body.signer", message: "expected a wallet whose account of the quote token is not frozen" }
    : undefined
}
