import type { WalletFunds } from "@launch-registry/domain/launch/LaunchCost"

/** What one transaction takes from its fee payer, in lamports. */
export interface Payment {
  /** Of the network: taken first, and also when the transaction fails. */
  readonly fees: bigint
  readonly spent: bigint
  /** Given back at the end of the transaction. */
  readonly lent: bigint
}

/**
 * Whether a wallet can make the payments one after the other. An account may be emptied, but never left with less than `alive`,
 * the rent of an empty one: not after the fees, and not in the end.
 */
export const checkFunds = (held: bigint, payments: ReadonlyArray<Payment>, alive: bigint): WalletFunds => {
  const isLeft = (amount: bigint) => amount === 0n || amount >= alive
  let left = held
  let sufficient = true
  for (const { fees, lent, spent } of payments) {
    sufficient &&= isLeft(left - fees) && left >= fees + spent + lent && isLeft(left - fees - spent)
    left -= fees + spent
  }
  const total = held - left
  const most = payments.reduce((highest, { lent }) => (lent > highest ? lent : highest), alive)
  const required = total + most
  return {
    lamports: held.toString(),
    required: required.toString(),
    shortfall: (sufficient ? 0n : required - held).toString(),
    sufficient,
  }
}
