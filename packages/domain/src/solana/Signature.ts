import { Schema } from "effect"
import { isSignature } from "./SignatureText.ts"

/** The longest base58 of 64 bytes. */
const SIGNATURE_LENGTH_MAX = 88

/** The signature that the network knows a transaction by: 64 bytes in base58. */
export const Signature = Schema.String.check(
  Schema.makeFilter((text: string) => isSignature(text) || "expected a signature (base58 of 64 bytes)"),
  Schema.isMaxLength(SIGNATURE_LENGTH_MAX),
).pipe(
  Schema.brand("Signature"),
  Schema.annotate({ identifier: "Signature", description: "Signature of a transaction, base58 of 64 bytes" }),
)
export type Signature = typeof Signature.Type

/** Signatures in one parameter of a query, with commas between them. */
export const signatureList = (maximum: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => {
      const signatures = text.split(",", maximum + 1)
      return (
        (signatures.length <= maximum && signatures.every(isSignature)) ||
        `expected at most ${maximum} comma-separated signatures`
      )
    }),
    Schema.isMaxLength(maximum * (SIGNATURE_LENGTH_MAX + 1)),
  )
