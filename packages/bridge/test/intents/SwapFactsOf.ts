import type { SwapFacts } from "../../src/SwapOutcome.ts"

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** When the quote of these facts was made. */
export const QUOTED_AT = Date.parse("2026-11-01T12:00:00.000Z")

export const QUOTED = { status: "pending", substatus: "awaiting_deposit" } as const

/** A minute after a quote whose refunds start after half an hour, and whose address ends after 72 hours. */
export const factsOf = (changes: Partial<SwapFacts> = {}): SwapFacts => ({
  upstreamStatus: "PENDING_DEPOSIT",
  recipientType: "DESTINATION_CHAIN",
  refundStartsAtMillis: QUOTED_AT + 30 * MINUTE,
  inactiveAtMillis: QUOTED_AT + 72 * HOUR,
  timeEstimateSeconds: 30,
  requiredAmount: "1000000",
  depositTxHashes: [],
  isReported: false,
  isDepositShown: false,
  deliveredAmount: undefined,
  leastAmountOut: "0",
  previous: QUOTED,
  money: {},
  lastChangeAtMillis: QUOTED_AT,
  nowMillis: QUOTED_AT + MINUTE,
  ...changes,
})
