/** The value below which this share of all values is. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))]!

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)
