import { Schema } from "effect"
import { decodeBase58 } from "./Base58.ts"

/** Whether `text` is the base58 form of exactly 64 bytes. */
export const isSignature = (text: string): boolean =>
  text.length >= 64 && text.length <= 88 && decodeBase58(text)?.length === 64

/** A transaction signature: 64 bytes in base58. */
export const Signature = Schema.String.check(
  Schema.makeFilter((text: string) => isSignature(text) || "expected a transaction signature (base58 of 64 bytes)"),
).pipe(
  Schema.brand("Signature"),
  Schema.annotate({ identifier: "Signature", description: "Solana signature, base58 of 64 bytes" }),
)
export type Signature = typeof Signature.Type
