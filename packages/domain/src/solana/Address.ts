import { Schema } from "effect"
import { ADDRESS_LENGTH_MAX, isAddress } from "./AddressText.ts"

/** A Solana account address: 32 bytes in base58. May be on or off the curve. */
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
