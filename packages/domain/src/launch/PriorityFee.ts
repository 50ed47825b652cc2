import { Schema, SchemaGetter } from "effect"
import { DECIMAL_LENGTH_MAX, LOSSLESS_NUMBER, textOrNumber } from "../amounts/Decimal.ts"

const LEVELS = ["none", "low", "medium", "high"] as const
/** How much of what others paid lately. */
export type PriorityLevel = (typeof LEVELS)[number]

const U64_MAX = 2n ** 64n - 1n
const message = "expected none, low, medium, high, or a whole number of lamports"

const isLevel = (value: unknown): value is PriorityLevel => (LEVELS as ReadonlyArray<unknown>).includes(value)

const isPriorityFee = (value: string | number): boolean =>
  isLevel(value) || (/^\d{1,20}$/.test(String(value)) && BigInt(value) <= U64_MAX)

/** A level, or lamports for each transaction. */
export const PriorityFee = textOrNumber(message, DECIMAL_LENGTH_MAX, { type: "integer", minimum: 0 })
  .check(Schema.makeFilter((value: string | number) => isPriorityFee(value) || message))
  .pipe(
    Schema.decodeTo(Schema.Union([Schema.Literals(LEVELS), Schema.BigInt]), {
      decode: SchemaGetter.transform((value: string | number) => (isLevel(value) ? value : BigInt(value))),
      encode: SchemaGetter.transform((value: PriorityLevel | bigint): string | number => String(value)),
    }),
    Schema.annotateEncoded({ [LOSSLESS_NUMBER]: true }),
  )
export type PriorityFee = typeof PriorityFee.Type
