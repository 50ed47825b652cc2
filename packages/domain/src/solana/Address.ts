import { Schema } from "effect"
import { decodeBase58 } from "./Base58.ts"

/** Characters of 32 bytes in base58, at most. */
export const ADDRESS_LENGTH_MAX = 44

/** Whether `text` is the base58 form of exactly 32 bytes. */
export const isAddress = (text: string): boolean =>
  // 32 bytes take 32 to 44 characters: the length check spares most bad input the decoding.
  text.length >= 32 && text.length <= ADDRESS_LENGTH_MAX && decodeBase58(text)?.length === 32

/** A Solana account address: 32 bytes in base58. On or off the curve, it is not told apart here. */
export const Address = Schema.String.check(
  Schema.makeFilter((text: string) => isAddress(text) || "expected a Solana address (base58 of 32 bytes)"),
  Schema.isMaxLength(ADDRESS_LENGTH_MAX),
).pipe(
  Schema.brand("Address"),
  Schema.annotate({ identifier: "Address", description: "Solana address, base58 of 32 bytes" }),
)
export type Address = typeof Address.Type

/** Addresses in one parameter of a query, with commas between them. */
export const addressList = (maximum: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => {
      const addresses = text.split(",", maximum + 1)
      return (
        (addresses.length <= maximum && addresses.every(isAddress)) ||
        `expected at most ${maximum} comma-separated Solana addresses`
      )
    }),
    Schema.isMaxLength(maximum * (ADDRESS_LENGTH_MAX + 1)),
  )
