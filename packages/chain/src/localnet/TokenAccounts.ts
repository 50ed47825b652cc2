import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountState, getMintEncoder, getTokenEncoder } from "@solana-program/token"
import {
  addEncoderSizePrefix,
  type Address,
  getU16Encoder,
  getU32Encoder,
  getUtf8Encoder,
  type ReadonlyUint8Array,
} from "@solana/kit"
import { NATIVE_MINT, TOKEN_2022_PROGRAM } from "../accounts/Programs.ts"
import { MINT_BYTES, TOKEN_ACCOUNT_BYTES } from "../accounts/TokenLayouts.ts"
import type { TokenLabel } from "../accounts/TokenLabelAccounts.ts"

const key = (address: string): Uint8Array => decodeBase58(address)!
const u16 = getU16Encoder()
const u32 = getU32Encoder()
/** UTF-8 after its length, a u32. */
const sized = addEncoderSizePrefix(getUtf8Encoder(), u32)
const concat = (...parts: ReadonlyArray<ReadonlyUint8Array>): Uint8Array =>
  Uint8Array.from(Buffer.concat(parts as ReadonlyArray<Uint8Array>))

/** Account types that Token-2022 writes after the base layout. */
const [TYPE_MINT, TYPE_ACCOUNT] = [1, 2]
const EXTENSION_IMMUTABLE_OWNER = 7
const EXTENSION_METADATA_POINTER = 18
const EXTENSION_TOKEN_METADATA = 19

const extension = (type: number, data: Uint8Array) => concat(u16.encode(type), u16.encode(data.length), data)

/** Data of a mint without authorities, as a launch leaves it. */
export const mintData = (supply: bigint, decimals: number): Uint8Array =>
  concat(getMintEncoder().encode({ mintAuthority: null, supply, decimals, isInitialized: true, freezeAuthority: null }))

/** The same for Token-2022, with the label in the mint itself (extensions MetadataPointer and TokenMetadata). */
export const mint2022Data = (mint: string, supply: bigint, decimals: number, label: TokenLabel): Uint8Array => {
  const ofMint = concat(new Uint8Array(32), key(mint))
  const texts = [label.name, label.symbol, label.uri].map((text) => sized.encode(text))
  return concat(
    ...[mintData(supply, decimals), new Uint8Array(TOKEN_ACCOUNT_BYTES - MINT_BYTES), Uint8Array.of(TYPE_MINT)],
    extension(EXTENSION_METADATA_POINTER, ofMint),
    extension(EXTENSION_TOKEN_METADATA, concat(ofMint, ...texts, u32.encode(0))),
  )
}

/** Data of a token account (Token-2022 adds ImmutableOwner). */
export const tokenAccountData = (options: {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly program: string
  readonly rentLamports: bigint
}): Uint8Array => {
  const base = getTokenEncoder().encode({
    mint: options.mint as Address,
    owner: options.owner as Address,
    amount: options.amount,
    delegate: null,
    state: AccountState.Initialized,
    isNative: options.mint === NATIVE_MINT ? options.rentLamports : null,
    delegatedAmount: 0n,
    closeAuthority: null,
  })
  if (options.program !== TOKEN_2022_PROGRAM) return concat(base)
  return concat(base, Uint8Array.of(TYPE_ACCOUNT), extension(EXTENSION_IMMUTABLE_OWNER, new Uint8Array(0)))
}

/** Data of a Metaplex metadata account (Token Metadata `Metadata`): the label padded to its on-chain limits. */
export const metaplexMetadataData = (mint: string, updateAuthority: string, label: TokenLabel): Uint8Array => {
  const padded = (text: string, bytes: number) => sized.encode(text + "\0".repeat(bytes - Buffer.byteLength(text)))
  const head = concat(Uint8Array.of(4), key(updateAuthority), key(mint))
  const texts = [padded(label.name, 32), padded(label.symbol, 10), padded(label.uri, 200)]
  // No fee, no creators, no flag.
  const body = concat(head, ...texts, new Uint8Array(6))
  return concat(body, new Uint8Array(607 - body.length))
}
