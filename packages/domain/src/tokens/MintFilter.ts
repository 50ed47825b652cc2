import { addressList } from "../solana/Address.ts"

/** Mints that a list is asked for, at most. */
const MINTS_MAX = 100

/** A parameter of a list by which it has only `what` belongs to some mints. */
export const mintFilter = (what: string) =>
  addressList(MINTS_MAX).annotate({
    description: `Only ${what} of these mints: addresses comma-separated, at most ${MINTS_MAX}`,
  })
