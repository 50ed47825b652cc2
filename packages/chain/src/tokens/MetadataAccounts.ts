import type { Address } from "@launch-registry/domain/solana/Address"
import type { MetadataState } from "@launch-registry/domain/trust/TrustReport"
import { AccountReader } from "../accounts/AccountReader.ts"
import type { RawAccount } from "../accounts/AccountReads.ts"
import { METADATA_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { EXTENSION, extensionOf } from "../accounts/TokenExtensions.ts"
import { decodeMetaplexLabel, decodeMintLabel, type TokenLabel } from "../accounts/TokenLabelAccounts.ts"

const ADDRESS_BYTES = 32

/** Metaplex `Metadata`: key 4 @0, update authority @1, mint @33, three texts @65; then fee, creators, two flags. */
const METAPLEX_KEY = 4
const [METAPLEX_AUTHORITY_OFFSET, METAPLEX_MINT_OFFSET, METAPLEX_TEXTS_OFFSET] = [1, 33, 65]
const CREATOR_BYTES = 34

/** Extensions of Token-2022 begin with an authority, absent if zero; of `MetadataPointer` where the metadata is follows @32. */
const POINTER_ADDRESS_OFFSET = 32

export const addressAt = (data: Uint8Array, at: number): Address => new AccountReader(data).address(at) as Address

/** The address at an offset; null if it is zero. */
export const nonZeroAddress = (data: Uint8Array, at: number): Address | null =>
  data.subarray(at, at + ADDRESS_BYTES).some((byte) => byte !== 0) ? addressAt(data, at) : null

export const extensionAuthority = (extension: Uint8Array | undefined): Address | null =>
  extension === undefined || extension.length < ADDRESS_BYTES ? null : nonZeroAddress(extension, 0)

/**
 * The metadata that a mint says is its own: within itself, or at another address, of which only that of Metaplex is known. Who can
 * point it elsewhere can change what the token is called, whatever the metadata itself permits.
 */
export const metadataState = (
  { data, owner }: RawAccount,
  mint: string,
  metaplex: string,
  account: RawAccount | undefined,
): MetadataState | null => {
  const found = owner === TOKEN_PROGRAM ? undefined : extensionOf(data, EXTENSION.metadataPointer)
  const pointer = found?.length === 2 * ADDRESS_BYTES ? found : undefined
  const pointsTo = pointer === undefined ? null : nonZeroAddress(pointer, POINTER_ADDRESS_OFFSET)
  if (pointsTo !== null && pointsTo !== mint && pointsTo !== metaplex) return null
  const state = (pointsTo === mint ? ownMetadata(data) : undefined) ?? metaplexMetadata(account, mint)
  const pointerAuthority = extensionAuthority(pointer)
  return state === null || pointerAuthority === null ? state : { ...state, pointerAuthority, isMutable: true }
}

/** Metadata that a mint of Token-2022 has itself. */
const ownMetadata = (data: Uint8Array): MetadataState | undefined => {
  const metadata = extensionOf(data, EXTENSION.tokenMetadata)
  if (metadata === undefined || metadata.length < 2 * ADDRESS_BYTES) return undefined
  const updateAuthority = nonZeroAddress(metadata, 0)
  return { source: "token_2022", updateAuthority, pointerAuthority: null, isMutable: updateAuthority !== null }
}

/** The Metaplex metadata of a mint; null if there is none, or of a layout that is not known. */
export const metaplexMetadata = (account: RawAccount | undefined, mint: string): MetadataState | null => {
  if (account?.owner !== METADATA_PROGRAM || account.data.length <= METAPLEX_TEXTS_OFFSET) return null
  const { data } = account
  if (data[0] !== METAPLEX_KEY || addressAt(data, METAPLEX_MINT_OFFSET) !== mint) return null
  return {
    source: "metaplex",
    updateAuthority: nonZeroAddress(data, METAPLEX_AUTHORITY_OFFSET),
    pointerAuthority: null,
    isMutable: isMetaplexMutable(data) ?? null,
  }
}

/** The flag after texts, fee, creators and the flag of the first sale; `undefined` if it does not lie within the account. */
const isMetaplexMutable = (data: Uint8Array): boolean | undefined => {
  const account = new AccountReader(data)
  let at = METAPLEX_TEXTS_OFFSET
  for (let text = 0; text < 3; text++) {
    if (at + 4 > data.length) return undefined
    at += 4 + account.u32(at)
  }
  // The fee.
  at += 2
  if (data[at] === 1) {
    if (at + 5 > data.length) return undefined
    at += 4 + account.u32(at + 1) * CREATOR_BYTES
  }
  // The option of creators, and the flag of the first sale.
  const flag = data[at + 2]
  return flag === 0 || flag === 1 ? flag === 1 : undefined
}

/** What the metadata of a mint calls it, and whether anybody can change that. */
export interface ReadLabel extends TokenLabel {
  readonly isFinal: boolean
}

/** The label where a mint says that its metadata is; `undefined` where there is none of a known kind. */
export const labelOf = (
  mint: string,
  metaplex: string,
  mintAccount: RawAccount | undefined,
  metadataAccount: RawAccount | undefined,
): ReadLabel | undefined => {
  const state = mintAccount && metadataState(mintAccount, mint, metaplex, metadataAccount)
  if (!state) return undefined
  const label =
    state.source === "metaplex" ? decodeMetaplexLabel(metadataAccount!.data) : decodeMintLabel(mintAccount.data)
  return label && { ...label, isFinal: state.isMutable === false && state.pointerAuthority === null }
}
