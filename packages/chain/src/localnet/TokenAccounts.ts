import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { NATIVE_MINT, TOKEN_2022_PROGRAM } from "../accounts/Programs.ts"
import type { TokenLabel } from "../accounts/TokenLabelAccounts.ts"

const key = (address: string): Uint8Array => decodeBase58(address)!
const text = (value: string): Uint8Array => new TextEncoder().encode(value)

const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

const u16 = (value: number): Uint8Array => u32(value).subarray(0, 2)

const u64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

const concat = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => Uint8Array.from(Buffer.concat(parts))
const sized = (value: string): Uint8Array => concat(u32(text(value).length), text(value))

const NONE = u32(0)
const TOKEN_ACCOUNT_BYTES = 165
/** Account types that Token-2022 writes after the base layout. */
const TYPE_MINT = 1
const TYPE_ACCOUNT = 2
const EXTENSION_IMMUTABLE_OWNER = 7
const EXTENSION_METADATA_POINTER = 18
const EXTENSION_TOKEN_METADATA = 19

/** Data of a mint without authorities, as a launch leaves it (SPL Token `Mint`, 82 bytes). */
export const mintData = (supply: bigint, decimals: number): Uint8Array =>
  concat(NONE, new Uint8Array(32), u64(supply), Uint8Array.of(decimals, 1), NONE, new Uint8Array(32))

/** The same for Token-2022, with the label in the mint itself (extensions MetadataPointer and TokenMetadata). */
export const mint2022Data = (mint: string, supply: bigint, decimals: number, label: TokenLabel): Uint8Array => {
  const pointer = concat(new Uint8Array(32), key(mint))
  const metadata = concat(
    new Uint8Array(32),
    key(mint),
    sized(label.name),
    sized(label.symbol),
    sized(label.uri),
    u32(0),
  )
  const base = concat(mintData(supply, decimals), new Uint8Array(TOKEN_ACCOUNT_BYTES - 82), Uint8Array.of(TYPE_MINT))
  const extension = (type: number, data: Uint8Array) => concat(u16(type), u16(data.length), data)
  return concat(base, extension(EXTENSION_METADATA_POINTER, pointer), extension(EXTENSION_TOKEN_METADATA, metadata))
}

/** Data of a token account (SPL Token `Account`, 165 bytes; Token-2022 adds ImmutableOwner). */
export const tokenAccountData = (options: {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly program: string
  readonly rentLamports: bigint
}): Uint8Array => {
  const native = options.mint === NATIVE_MINT ? concat(u32(1), u64(options.rentLamports)) : new Uint8Array(12)
  const base = concat(
    ...[key(options.mint), key(options.owner), u64(options.amount), new Uint8Array(36), Uint8Array.of(1)],
    ...[native, new Uint8Array(8), new Uint8Array(36)],
  )
  if (options.program !== TOKEN_2022_PROGRAM) return base
  return concat(base, Uint8Array.of(TYPE_ACCOUNT), u16(EXTENSION_IMMUTABLE_OWNER), u16(0))
}

/** Data of a Metaplex metadata account (Token Metadata `Metadata`): the label padded to its on-chain limits. */
export const metaplexMetadataData = (mint: string, updateAuthority: string, label: TokenLabel): Uint8Array => {
  const padded = (value: string, length: number) =>
    concat(u32(length), text(value), new Uint8Array(length - text(value).length))
  const head = concat(Uint8Array.of(4), key(updateAuthority), key(mint))
  const data = concat(padded(label.name, 32), padded(label.symbol, 10), padded(label.uri, 200), u16(0))
  const body = concat(head, data, new Uint8Array(4))
  return concat(body, new Uint8Array(607 - body.length))
}
