import { formatWhole, wholeAmount } from "../figures/Format.ts"
import { SOL_DECIMALS } from "../figures/Sol.ts"
import { smallestUnits } from "./Curve.ts"

/** Lamports of an amount of SOL as people write it: `1.5` is 1500000000. `undefined` for what is no such amount. */
export const lamportsOf = (sol: string): bigint | undefined =>
  /^\d{1,10}(\.\d{1,9})?$/.test(sol.trim()) ? smallestUnits(sol.trim(), SOL_DECIMALS) : undefined

/** Lamports in SOL, with all digits and the thousands apart. */
export const solOf = (lamports: string): string => {
  const [whole = "", fraction] = wholeAmount(lamports, SOL_DECIMALS).split(".")
  return fraction === undefined ? formatWhole(whole) : `${formatWhole(whole)}.${fraction}`
}
