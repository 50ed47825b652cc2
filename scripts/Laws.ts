/** Whether this is the long sweep over the laws: `pnpm test:laws`. */
export const isSweep = process.env.LAWS === "all"

/** Laws are tried with the same examples in every run. A sweep begins elsewhere each time; `PROPERTY_SEED=17` begins there. */
export const SEED = Number(process.env.PROPERTY_SEED ?? 1)

/** How many examples a law is tried with: few at each commit, many in the sweep. */
export const examples = (few: number, many: number): number => (isSweep ? many : few)

/** Seeds of examples that take long. */
export const seeds = (few: number, many: number): ReadonlyArray<number> =>
  Array.from({ length: examples(few, many) }, (_, index) => SEED + index)
