import type { PollLane } from "./intents/PollSchedule.ts"
import type { SwapRow } from "./SwapRow.ts"

/** What the swap service only says of a swap once it has seen a deposit. */
const SHOWS_DEPOSIT = new Set(["KNOWN_DEPOSIT_TX", "PROCESSING", "INCOMPLETE_DEPOSIT", "SUCCESS", "REFUNDED"])

/**
 * The lane that a swap is looked at in: by what the swap service itself has shown, or else by whether a caller told of a
 * transfer, which anybody may, and which nobody has checked: that the swap service repeats what it was told shows nothing.
 */
export const laneOf = (
  said: Pick<SwapRow, "upstreamStatus" | "depositedAmount" | "originTxs">,
  before: Pick<SwapRow, "lane" | "reported"> & { readonly depositHashes: ReadonlyArray<string> },
): PollLane => {
  const isSeen =
    before.lane === 0 ||
    said.originTxs.some(({ hash }) => !before.depositHashes.includes(hash)) ||
    (said.depositedAmount !== null && !/^0+$/.test(said.depositedAmount)) ||
    SHOWS_DEPOSIT.has(said.upstreamStatus ?? "")
  if (isSeen) return 0
  return before.reported ? 1 : 2
}
