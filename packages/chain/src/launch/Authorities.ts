import type { ChainUnavailable } from "@launch-registry/domain/launch/LaunchErrors"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { MetadataState, MintState } from "@launch-registry/domain/trust/TrustReport"
import { Effect } from "effect"
import { AccountReader } from "./AccountReader.ts"
import type { AccountsAtSlot, RawAccount } from "./AccountReads.ts"
import { decodeConfig } from "./ConfigAccount.ts"
import { tokenMetadataAddress } from "./DerivedAddresses.ts"
import { DBC_PROGRAM, METADATA_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"
import { EXTENSION, extensionOf } from "./TokenExtensions.ts"
import { mintOf } from "./TokenLayouts.ts"
import { transferExtension } from "./TransferExtensions.ts"

/** SPL Token `Mint`: an authority is a u32 that is 1 if there is one, and its address. */
const [MINT_AUTHORITY_OFFSET, FREEZE_AUTHORITY_OFFSET] = [0, 46]
const ADDRESS_BYTES = 32

/** Metaplex `Metadata`: key 4 @0, update authority @1, mint @33, three texts @65; then fee, creators, two flags. */
const METAPLEX_KEY = 4
const [METAPLEX_AUTHORITY_OFFSET, METAPLEX_MINT_OFFSET, METAPLEX_TEXTS_OFFSET] = [1, 33, 65]
const CREATOR_BYTES = 34

/** Token-2022 `TokenMetadata` and `MetadataPointer`: an authority @0, absent if zero; of the second, where the metadata is @32. */
const POINTER_ADDRESS_OFFSET = 32

/** What the chain says of who can change a token, at one slot. */
export interface Authorities {
  readonly slot: bigint
  /** Null where no mint is. */
  readonly mint: MintState | null
  /** Null where no metadata of a known kind is. */
  readonly metadata: MetadataState | null
  /** Option of the DBC configuration, 0 to 4; null if it was not asked for, or is none. */
  readonly configOption: number | null
}

/** Reads mint, metadata and configuration in one request. */
export const readAuthorities = Effect.fn("readAuthorities")(function* (
  read: (addresses: ReadonlyArray<string>) => Effect.Effect<AccountsAtSlot, ChainUnavailable>,
  mint: string,
  config: string | undefined,
): Effect.fn.Return<Authorities, ChainUnavailable> {
  const metaplex = yield* Effect.promise(() => tokenMetadataAddress(mint))
  const { accounts, slot } = yield* read([mint, metaplex, ...(config === undefined ? [] : [config])])
  const [mintAccount, metadataAccount, configAccount] = accounts
  const state = mintState(mintAccount)
  const ofConfig = configAccount?.owner === DBC_PROGRAM ? decodeConfig(configAccount.data) : undefined
  return {
    slot,
    mint: state,
    metadata: state === null ? null : (ownMetadata(mintAccount!, mint) ?? metaplexMetadata(metadataAccount, mint)),
    configOption: ofConfig?.tokenUpdateAuthority ?? null,
  }
})

const addressAt = (data: Uint8Array, at: number): Address => new AccountReader(data).address(at) as Address

/** The address at an offset; null if it is zero. */
const nonZeroAddress = (data: Uint8Array, at: number): Address | null =>
  data.subarray(at, at + ADDRESS_BYTES).some((byte) => byte !== 0) ? addressAt(data, at) : null

const authorityAt = (data: Uint8Array, at: number): Address | null =>
  new AccountReader(data).u32(at) === 1 ? addressAt(data, at + 4) : null

/** The state of a mint of either token program; null for any other account. */
export const mintState = (account: RawAccount | undefined): MintState | null => {
  const found = mintOf(account)
  if (account === undefined || found === undefined) return null
  const { data } = account
  const delegate = found.program === TOKEN_PROGRAM ? undefined : extensionOf(data, EXTENSION.permanentDelegate)
  return {
    program: found.program === TOKEN_PROGRAM ? "spl_token" : "token_2022",
    supply: String(found.supply),
    decimals: found.decimals,
    mintAuthority: authorityAt(data, MINT_AUTHORITY_OFFSET),
    freezeAuthority: authorityAt(data, FREEZE_AUTHORITY_OFFSET),
    permanentDelegate: delegate?.length === ADDRESS_BYTES ? nonZeroAddress(delegate, 0) : null,
    transferExtension: transferExtension(account) ?? null,
  }
}

/** Metadata that a mint of Token-2022 has itself, and says that it has. */
const ownMetadata = ({ data, owner }: RawAccount, mint: string): MetadataState | undefined => {
  if (owner === TOKEN_PROGRAM) return undefined
  const [pointer, metadata] = [EXTENSION.metadataPointer, EXTENSION.tokenMetadata].map((type) =>
    extensionOf(data, type),
  )
  if (pointer?.length !== 2 * ADDRESS_BYTES || addressAt(pointer, POINTER_ADDRESS_OFFSET) !== mint) return undefined
  if (metadata === undefined || metadata.length < 2 * ADDRESS_BYTES) return undefined
  const updateAuthority = nonZeroAddress(metadata, 0)
  return { source: "token_2022", updateAuthority, isMutable: updateAuthority !== null }
}

/** The Metaplex metadata of a mint; null if there is none, or of a layout that is not known. */
export const metaplexMetadata = (account: RawAccount | undefined, mint: string): MetadataState | null => {
  if (account?.owner !== METADATA_PROGRAM || account.data.length <= METAPLEX_TEXTS_OFFSET) return null
  const { data } = account
  if (data[0] !== METAPLEX_KEY || addressAt(data, METAPLEX_MINT_OFFSET) !== mint) return null
  return {
    source: "metaplex",
    updateAuthority: nonZeroAddress(data, METAPLEX_AUTHORITY_OFFSET),
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
