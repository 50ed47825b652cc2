import type { PollLane } from "./intents/PollSchedule.ts"
import type { SwapRow } from "./SwapRow.ts"

/** Statuses that the swap service gives only after it has seen a deposit. */
const SHOWS_DEPOSIT = new Set(["KNOWN_DEPOSIT_TX", "PROCESSING", "INCOMPLETE_DEPOSIT", "SUCCESS", "REFUNDED"])

/**
 * The lane that a swap is polled in: by the deposit that the swap service itself has shown, or else by whether a caller
 * reported one. Anybody may report, and the swap service repeats unchecked what was submitted.
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
