import { AccountReader } from "./AccountReader.ts"
import { EXTENSION, extensionOf } from "./TokenExtensions.ts"

/** `VirtualPoolMetadata` of the DBC program: discriminator, pool @8, 96 bytes padding, three strings. */
const POOL_METADATA_DISCRIMINATOR = "d92552fa2b2fe4fe"
const POOL_METADATA_STRINGS_OFFSET = 136

/** Metaplex `Metadata`: key 4, authority, mint, three padded strings. */
const METAPLEX_KEY = 4
const METAPLEX_STRINGS_OFFSET = 65

/** Extension `TokenMetadata` of Token-2022: authority, mint, three strings. */
const TOKEN_METADATA_STRINGS_OFFSET = 64

/** What a pool's creator publishes about it on chain; every text may be empty. */
export interface PoolMetadataTexts {
  readonly name: string
  readonly website: string
  readonly logo: string
}

export interface TokenLabel {
  readonly name: string
  readonly symbol: string
  readonly uri: string
}

/** Three strings from `at`; Metaplex pads its own to the on-chain limit with zeros. */
const threeTexts = (bytes: Uint8Array, at: number): readonly [string, string, string] | undefined => {
  const texts = new AccountReader(bytes).texts(at, 3)?.map((text) => text.replace(/\0+$/, ""))
  return texts as unknown as readonly [string, string, string] | undefined
}

/** What the pool's creator published about it with `create_virtual_pool_metadata`. */
export const decodePoolMetadata = (bytes: Uint8Array): PoolMetadataTexts | undefined => {
  if (Buffer.from(bytes.subarray(0, 8)).toString("hex") !== POOL_METADATA_DISCRIMINATOR) return undefined
  const texts = threeTexts(bytes, POOL_METADATA_STRINGS_OFFSET)
  return texts && { name: texts[0], website: texts[1], logo: texts[2] }
}

/** Name, symbol and uri of an SPL token, from its Metaplex metadata account. */
export const decodeMetaplexLabel = (bytes: Uint8Array): TokenLabel | undefined => {
  if (bytes[0] !== METAPLEX_KEY) return undefined
  const texts = threeTexts(bytes, METAPLEX_STRINGS_OFFSET)
  return texts && { name: texts[0], symbol: texts[1], uri: texts[2] }
}

/** Name, symbol and uri of a Token-2022 mint that carries them itself. */
export const decodeMintLabel = (bytes: Uint8Array): TokenLabel | undefined => {
  const metadata = extensionOf(bytes, EXTENSION.tokenMetadata)
  const texts = metadata && threeTexts(metadata, TOKEN_METADATA_STRINGS_OFFSET)
  return texts && { name: texts[0], symbol: texts[1], uri: texts[2] }
}
