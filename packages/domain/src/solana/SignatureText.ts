import { decodeBase58 } from "./Base58.ts"

/** Whether `text` is the base58 form of exactly 64 bytes. */
export const isSignature = (text: string): boolean =>
  text.length >= 64 && text.length <= 88 && decodeBase58(text)?.length === 64
