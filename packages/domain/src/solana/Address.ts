import { Schema } from "effect"
import { decodeBase58 } from "./Base58.ts"

/** Whether `text` is the base58 form of exactly 32 bytes. */
export const isAddress = (text: string): boolean =>
  // 32 bytes take 32 to 44 characters: the length check spares most bad input the decoding.
  text.length >= 32 && text.length <= 44 && decodeBase58(text)?.length === 32

/** A Solana account address: 32 bytes in base58. On or off the curve, it is not told apart here. */
export const Address = Schema.String.check(
  Schema.makeFilter((text: string) => isAddress(text) || "expected a Solana address (base58 of 32 bytes)"),
).pipe(
  Schema.brand("Address"),
  Schema.annotate({ identifier: "Address", description: "Solana address, base58 of 32 bytes" }),
)
export type Address = typeof Address.Type
