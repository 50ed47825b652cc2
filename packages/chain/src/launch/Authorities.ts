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

/**
 * Extensions of Token-2022 begin with an authority, absent if zero; of `MetadataPointer` where the metadata is follows @32, of
 * `TransferHook` the program. `DefaultAccountState` is one byte, 2 for frozen.
 */
const [POINTER_ADDRESS_OFFSET, HOOK_PROGRAM_OFFSET] = [32, 32]
const FROZEN = 2

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
    metadata: state === null ? null : metadataState(mintAccount!, mint, metaplex, metadataAccount),
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
  const isPlain = found.program === TOKEN_PROGRAM
  const extension = (type: number) => (isPlain ? undefined : extensionOf(data, type))
  const authorityOf = (type: number) => extensionAuthority(extension(type))
  const hook = extension(EXTENSION.transferHook)
  const hasHook = hook?.length === 2 * ADDRESS_BYTES && nonZeroAddress(hook, HOOK_PROGRAM_OFFSET) !== null
  return {
    program: isPlain ? "spl_token" : "token_2022",
    supply: String(found.supply),
    decimals: found.decimals,
    mintAuthority: authorityAt(data, MINT_AUTHORITY_OFFSET),
    freezeAuthority: authorityAt(data, FREEZE_AUTHORITY_OFFSET),
    permanentDelegate: authorityOf(EXTENSION.permanentDelegate),
    pauseAuthority: authorityOf(EXTENSION.pausable),
    transferFeeAuthority: authorityOf(EXTENSION.transferFeeConfig),
    transferHookAuthority: authorityOf(EXTENSION.transferHook),
    accountsStartFrozen: extension(EXTENSION.defaultAccountState)?.[0] === FROZEN,
    // Of both the graver: a hook can refuse every sale.
    transferExtension: hasHook ? "transfer_hook" : (transferExtension(account) ?? null),
  }
}

const extensionAuthority = (extension: Uint8Array | undefined): Address | null =>
  extension === undefined || extension.length < ADDRESS_BYTES ? null : nonZeroAddress(extension, 0)

/**
 * The metadata that a mint says is its own: within itself, or at another address, of which only that of Metaplex is known. Who can
 * point it elsewhere can change what the token is called, whatever the metadata itself permits.
 */
const metadataState = (
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
