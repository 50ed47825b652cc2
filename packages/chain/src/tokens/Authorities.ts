import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { MetadataState, MintState } from "@launch-registry/domain/trust/TrustReport"
import { Effect } from "effect"
import { AccountReader } from "../accounts/AccountReader.ts"
import type { AccountsAtSlot, RawAccount } from "../accounts/AccountReads.ts"
import { decodeConfig } from "../dbc/ConfigAccount.ts"
import { tokenMetadataAddress } from "../accounts/DerivedAddresses.ts"
import { DBC_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import {
  addressAt,
  extensionAuthority,
  labelOf,
  metadataState,
  nonZeroAddress,
  type ReadLabel,
} from "./MetadataAccounts.ts"
import { EXTENSION, extensionOf } from "../accounts/TokenExtensions.ts"
import { mintOf } from "../accounts/TokenLayouts.ts"
import { transferExtension } from "../venues/TransferExtensions.ts"

/** SPL Token `Mint`: an authority is a u32 that is 1 if there is one, and its address. */
const [MINT_AUTHORITY_OFFSET, FREEZE_AUTHORITY_OFFSET] = [0, 46]
const ADDRESS_BYTES = 32

/** Of the extension `TransferHook` of Token-2022 the program follows @32. `DefaultAccountState` is one byte, 2 for frozen. */
const HOOK_PROGRAM_OFFSET = 32
const FROZEN = 2

/** What the chain says of who can change a token, at one slot. */
export interface Authorities {
  readonly slot: bigint
  /** Null where no mint is. */
  readonly mint: MintState | null
  /** Null where no metadata of a known kind is. */
  readonly metadata: MetadataState | null
  /** What it says; null without any. */
  readonly label: ReadLabel | null
  /** Option of the DBC configuration, 0 to 4; null if it was not asked for, or is none. */
  readonly configOption: number | null
}

/** What {@link readAuthorities} reads. */
export const authorityAddresses = async (mint: string, config: string | undefined): Promise<ReadonlyArray<string>> => [
  ...[mint, await tokenMetadataAddress(mint)],
  ...(config === undefined ? [] : [config]),
]

/** Reads mint, metadata and configuration in one request. */
export const readAuthorities = Effect.fn("readAuthorities")(function* (
  read: (addresses: ReadonlyArray<string>) => Effect.Effect<AccountsAtSlot, Unavailable>,
  mint: string,
  config: string | undefined,
): Effect.fn.Return<Authorities, Unavailable> {
  const addresses = yield* Effect.promise(() => authorityAddresses(mint, config))
  const metaplex = addresses[1]!
  const { accounts, slot } = yield* read(addresses)
  const [mintAccount, metadataAccount, configAccount] = accounts
  const state = mintState(mintAccount)
  const ofConfig = configAccount?.owner === DBC_PROGRAM ? decodeConfig(configAccount.data) : undefined
  return {
    slot,
    mint: state,
    metadata: state === null ? null : metadataState(mintAccount!, mint, metaplex, metadataAccount),
    label: state === null ? null : (labelOf(mint, metaplex, mintAccount, metadataAccount) ?? null),
    configOption: ofConfig?.tokenUpdateAuthority ?? null,
  }
})

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
