import { formatWhole, wholeAmount } from "../figures/Format.ts"
import { SOL_DECIMALS } from "../figures/Sol.ts"

/** Lamports of an amount of SOL as people write it: `1.5` is 1500000000. `undefined` for what is no such amount. */
export const lamportsOf = (sol: string): bigint | undefined => {
  const [, whole, fraction = ""] = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(sol.trim()) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(SOL_DECIMALS, "0"))
}

/** Lamports in SOL, with all digits and the thousands apart. */
export const solOf = (lamports: string): string => {
  const [whole = "", fraction] = wholeAmount(lamports, SOL_DECIMALS).split(".")
  return fraction === undefined ? formatWhole(whole) : `${formatWhole(whole)}.${fraction}`
}
