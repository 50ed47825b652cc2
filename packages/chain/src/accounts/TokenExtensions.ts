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

/** Names of all types of a mint (Token-2022 `ExtensionType`), as explorers show them. */
const MINT_EXTENSIONS: Readonly<Record<number, string>> = {
  ...{ 1: "transfer fee", 3: "mint close authority", 4: "confidential transfers", 6: "default account state" },
  ...{ 9: "non-transferable", 10: "interest bearing", 12: "permanent delegate", 14: "transfer hook" },
  ...{ 16: "confidential transfer fee", 18: "metadata pointer", 19: "token metadata", 20: "group pointer" },
  ...{ 21: "token group", 22: "group member pointer", 23: "token group member", 24: "confidential mint and burn" },
  ...{ 25: "scaled UI amount", 26: "pausable" },
}

/** Each extension in an account of Token-2022, as far as they lie within the account. */
function* extensionsIn(data: Uint8Array): Generator<readonly [type: number, data: Uint8Array]> {
  const account = new AccountReader(data)
  for (let at = EXTENSIONS_OFFSET; at + HEADER_BYTES <= data.length;) {
    const [found, length] = [account.u16(at), account.u16(at + 2)]
    const end = at + HEADER_BYTES + length
    if (found === UNINITIALIZED || end > data.length) return
    yield [found, data.subarray(at + HEADER_BYTES, end)]
    at = end
  }
}

/** The data of the first extension of a type in an account of Token-2022; `undefined` without one, or if it does not lie within the account. */
export const extensionOf = (data: Uint8Array, type: number): Uint8Array | undefined => {
  for (const [found, of] of extensionsIn(data)) if (found === type) return of
  return undefined
}

/** Extensions of a mint, by name. */
export const mintExtensions = (data: Uint8Array): ReadonlyArray<string> =>
  Array.from(extensionsIn(data), ([type]) => MINT_EXTENSIONS[type] ?? `extension ${type}`)
