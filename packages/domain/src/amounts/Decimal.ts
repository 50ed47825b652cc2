import { Schema, SchemaAST, SchemaGetter } from "effect"

/**
 * Maximum digits on either side of the point. 40 integer digits hold 2^128 - 1; 40 decimals hold the price, as a
 * double, of a token worth a billionth of a lamport.
 */
const DIGITS_MAX = 40

/** Bounds the cost of hostile input; a longer number could only be padded with zeros. */
export const DECIMAL_LENGTH_MAX = 200

const PARTS = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

/**
 * The canonical form of a decimal number: no exponent, no redundant zeros, no `-0`. `undefined` if `text` is not a
 * decimal number or has more than 40 digits on a side.
 */
export const plainDecimal = (text: string): string | undefined => {
  if (text.length > DECIMAL_LENGTH_MAX) return undefined
  const parts = PARTS.exec(text)
  if (parts === null) return undefined
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  // Beyond this, every non-zero digit is out of bounds.
  if (point > digits.length + DIGITS_MAX && /[1-9]/.test(digits)) return undefined
  if (point < -DIGITS_MAX - digits.length && /[1-9]/.test(digits)) return undefined
  const clamped = Math.max(-DIGITS_MAX - digits.length, Math.min(point, digits.length + DIGITS_MAX))
  const shifted = clamped > 0 ? digits.padEnd(clamped, "0") : "0".repeat(1 - clamped) + digits
  const split = clamped > 0 ? clamped : 1
  const front = shifted.slice(0, split).replace(/^0+(?=\d)/, "")
  const back = shifted.slice(split).replace(/0+$/, "")
  if (front.length > DIGITS_MAX || back.length > DIGITS_MAX) return undefined
  const plain = back === "" ? front : `${front}.${back}`
  return plain === "0" ? "0" : sign + plain
}

/** Annotation of schemas whose JSON numbers are read from their source text. */
export const LOSSLESS_NUMBER = "~@launch-registry/losslessNumber"

/** Whether the encoded side of a schema has numbers that must not pass through a double. */
export const isLosslessNumber = (encoded: SchemaAST.AST): boolean =>
  // With checks, annotations are on the schema or on its last check, depending on their order.
  encoded.annotations?.[LOSSLESS_NUMBER] === true ||
  SchemaAST.resolve(encoded)?.[LOSSLESS_NUMBER] === true ||
  (SchemaAST.isUnion(encoded) && encoded.types.some(isLosslessNumber))

/**
 * A JSON number or the same as a string; `number` is its JSON Schema. A filter on the union validates it: a check on
 * the number member would drop the annotations of the union's encoded side.
 */
export const textOrNumber = (
  message: string,
  lengthMax: number,
  number: { readonly type: "number" | "integer"; readonly minimum: number; readonly maximum?: number },
) =>
  Schema.Union([Schema.String.check(Schema.isMaxLength(lengthMax)), Schema.Number]).annotate({
    message,
    contentSchema: { anyOf: [{ type: "string", maxLength: lengthMax }, number] },
  })

const message = "expected a decimal number, at least 0, with at most 40 digits on either side of the point"

const isAmount = (text: string): boolean => {
  const plain = plainDecimal(text)
  return plain !== undefined && !plain.startsWith("-")
}

/**
 * An amount: an exact decimal number, at least 0. Read from a JSON number or a decimal string, written as a plain
 * decimal string ("1000000000", "0.000000000000000001"). Never held in a double: the server reads JSON numbers from
 * their source text.
 */
export const Decimal = textOrNumber(message, DECIMAL_LENGTH_MAX, { type: "number", minimum: 0 })
  .check(Schema.makeFilter((value: string | number) => isAmount(String(value)) || message))
  .pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((value: string | number) => plainDecimal(String(value)) ?? "0"),
      encode: SchemaGetter.transform((value: string) => value as string | number),
    }),
    Schema.annotateEncoded({ [LOSSLESS_NUMBER]: true }),
  )

/** A decimal in a response: always a plain string. */
export const DecimalText = Schema.String.annotate({
  identifier: "Decimal",
  description: "Exact decimal number as a plain string, without exponent",
  examples: ["1000000000"],
})
