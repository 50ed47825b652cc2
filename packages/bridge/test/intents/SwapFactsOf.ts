import { type FollowedSwap, swapOutcome, type Told } from "../../src/SwapOutcome.ts"

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** When the quote of these facts was made. */
export const QUOTED_AT = Date.parse("2026-11-01T12:00:00.000Z")

/** What is known of a swap's money. */
interface Money {
  readonly amountOut?: string
  readonly refundFee?: string
  readonly depositedAmount?: string
  readonly refundedAmount?: string
  readonly originTxs?: FollowedSwap["originTxs"]
  readonly destinationTxs?: FollowedSwap["destinationTxs"]
}

/** A swap and an answer, as the tests write them. Times are milliseconds. */
export interface SwapFacts {
  readonly upstreamStatus: Told["status"]
  readonly money: Money
  readonly recipientType: FollowedSwap["recipientType"]
  readonly refundStartsAtMillis: number
  readonly inactiveAtMillis: number
  readonly timeEstimateSeconds: number
  readonly requiredAmount: string
  readonly depositTxHashes: ReadonlyArray<string>
  readonly isReported: boolean
  readonly isDepositShown: boolean
  readonly leastAmountOut: string
  readonly previous: Pick<FollowedSwap, "status" | "substatus">
  readonly lastChangeAtMillis: number
  readonly nowMillis: number
}

export const QUOTED = { status: "pending", substatus: "awaiting_deposit" } as const

/** A minute after a quote whose refunds start after half an hour, and whose address ends after 72 hours. */
export const factsOf = (changes: Partial<SwapFacts> = {}): SwapFacts => ({
  upstreamStatus: "PENDING_DEPOSIT",
  money: {},
  recipientType: "DESTINATION_CHAIN",
  refundStartsAtMillis: QUOTED_AT + 30 * MINUTE,
  inactiveAtMillis: QUOTED_AT + 72 * HOUR,
  timeEstimateSeconds: 30,
  requiredAmount: "1000000",
  depositTxHashes: [],
  isReported: false,
  isDepositShown: false,
  leastAmountOut: "0",
  previous: QUOTED,
  lastChangeAtMillis: QUOTED_AT,
  nowMillis: QUOTED_AT + MINUTE,
  ...changes,
})

export const outcomeOf = ({ money, previous, ...facts }: SwapFacts) =>
  swapOutcome(
    {
      ...{ status: previous.status, substatus: previous.substatus, recipientType: facts.recipientType },
      ...{ swapType: "EXACT_INPUT", amountIn: facts.requiredAmount, minAmountIn: "0", amountOut: "0" },
      minAmountOut: facts.leastAmountOut,
      depositBy: new Date(facts.refundStartsAtMillis),
      inactiveAt: new Date(facts.inactiveAtMillis),
      timeEstimateSeconds: facts.timeEstimateSeconds,
      progressedAt: new Date(facts.lastChangeAtMillis),
      reported: facts.isReported,
      depositShown: facts.isDepositShown,
      depositHashes: facts.depositTxHashes,
      depositedAmount: money.depositedAmount ?? null,
      refundedAmount: money.refundedAmount ?? null,
      originTxs: money.originTxs ?? [],
      destinationTxs: money.destinationTxs ?? [],
    },
    { status: facts.upstreamStatus, amountOut: money.amountOut, refundFee: money.refundFee },
    facts.nowMillis,
  )
