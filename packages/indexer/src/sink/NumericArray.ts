const INT8_MIN = -(2n ** 63n)
const INT8_MAX = 2n ** 63n - 1n

/**
 * Whole numbers as a parameter for `::numeric[]`: as `bigint`s where all of them are, which the driver writes and PostgreSQL reads at a
 * fraction of what decimal texts cost; as texts otherwise. One array has one type.
 */
export const numericArray = (values: ReadonlyArray<bigint>): ReadonlyArray<bigint> | ReadonlyArray<string> =>
  values.every((value) => value <= INT8_MAX && value >= INT8_MIN) ? values : values.map(String)
