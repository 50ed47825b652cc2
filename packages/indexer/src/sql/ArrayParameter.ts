import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

/**
 * Arrays as parameters of a known type. Of a plain array, the client would find out the type of each element first, which takes longer
 * than writing them.
 */
const arrayOf = (oid: number) => (values: ReadonlyArray<unknown>) => Result.getOrThrow(PgTypes.array(values, oid))

export const textArray: (values: ReadonlyArray<string>) => PgTypes.Parameter = arrayOf(PgTypes.OID.text)
export const bigintArray: (values: ReadonlyArray<bigint>) => PgTypes.Parameter = arrayOf(PgTypes.OID.int8)
export const integerArray: (values: ReadonlyArray<number>) => PgTypes.Parameter = arrayOf(PgTypes.OID.int4)

const INT8_MIN = -(2n ** 63n)
const INT8_MAX = 2n ** 63n - 1n

/**
 * Whole numbers for `::numeric[]`: as `bigint`s where all of them are, which the driver writes and PostgreSQL reads at a fraction of what
 * decimal texts cost; as texts otherwise.
 */
export const numericArray = (values: ReadonlyArray<bigint>): PgTypes.Parameter => {
  for (const value of values) if (value > INT8_MAX || value < INT8_MIN) return textArray(values.map(String))
  return bigintArray(values)
}
