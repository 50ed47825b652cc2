import { AccountReader } from "./AccountReader.ts"
import { ACCOUNT_TYPE_OFFSET } from "./TokenLayouts.ts"

/** After the account type: extensions of Token-2022, each a u16 type, a u16 length and its data. */
const EXTENSIONS_OFFSET = ACCOUNT_TYPE_OFFSET + 1
const HEADER_BYTES = 4
const UNINITIALIZED = 0

/** Types of extensions (Token-2022 `ExtensionType`): of a mint, and of a token account. */
export const EXTENSION = {
  ...{ transferFeeConfig: 1, defaultAccountState: 6, nonTransferable: 9, permanentDelegate: 12, transferHook: 14 },
  ...{ metadataPointer: 18, tokenMetadata: 19, pausable: 26 },
  ...{ confidentialTransferAccount: 5, memoTransfer: 8, cpiGuard: 11 },
} as const

/** The data of the first extension of a type in an account of Token-2022; `undefined` without one, or if it does not lie within the account. */
export const extensionOf = (data: Uint8Array, type: number): Uint8Array | undefined => {
  const account = new AccountReader(data)
  for (let at = EXTENSIONS_OFFSET; at + HEADER_BYTES <= data.length;) {
    const [found, length] = [account.u16(at), account.u16(at + 2)]
    const end = at + HEADER_BYTES + length
    if (found === UNINITIALIZED || end > data.length) return undefined
    if (found === type) return data.subarray(at + HEADER_BYTES, end)
    at = end
  }
  return undefined
}
