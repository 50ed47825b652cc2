import { decodeBase58 } from "./Base58.ts"

/** Characters of 32 bytes in base58, at least and at most. */
export const ADDRESS_LENGTH_MIN = 32
export const ADDRESS_LENGTH_MAX = 44

/** Whether `text` is the base58 form of exactly 32 bytes. */
export const isAddress = (text: string): boolean =>
  // 32 bytes take 32 to 44 characters: the length check spares most bad input the decoding.
  text.length >= ADDRESS_LENGTH_MIN && text.length <= ADDRESS_LENGTH_MAX && decodeBase58(text)?.length === 32
