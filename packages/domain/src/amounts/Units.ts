import { Schema, SchemaGetter } from "effect"
import { DECIMAL_LENGTH_MAX, LOSSLESS_NUMBER, textOrNumber } from "./Decimal.ts"

const U64_MAX = 2n ** 64n - 1n

/** A u64, `what` of its unit, as a JSON number or a string of digits. Read without loss of precision. */
export const units = (minimum: bigint, what: string, orElse = "") => {
  const message = `expected ${what}: a whole number from ${minimum} to ${U64_MAX}${orElse}`
  return textOrNumber(message, DECIMAL_LENGTH_MAX, { type: "integer", minimum: Number(minimum) })
    .check(
      Schema.makeFilter((value: string | number) => {
        const text = String(value)
        if (/^-?\d+\.\d+$/.test(text)) return `expected ${what}: a whole number, no fraction`
        const isWhole = /^\d{1,20}$/.test(text)
        return (isWhole && BigInt(text) >= minimum && BigInt(text) <= U64_MAX) || message
      }),
    )
    .pipe(
      Schema.decodeTo(Schema.BigInt, {
        decode: SchemaGetter.transform((value: string | number) => BigInt(value)),
        encode: SchemaGetter.transform((value: bigint): string | number => value.toString()),
      }),
      Schema.annotateEncoded({ [LOSSLESS_NUMBER]: true }),
    )
}
