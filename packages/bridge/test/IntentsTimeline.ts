/** A state of a swap, and when it applies: as soon as every condition holds. The last step that applies is the state. */
export interface TimelineStep {
  /** Since the timeline was set. */
  readonly afterMillis?: number
  /** Status requests answered since then. */
  readonly afterPolls?: number
  /** Once a transaction was submitted, or so many of them. */
  readonly afterSubmit?: boolean | number
  /** Any text: the service's set of statuses is open. `404`: it does not know the address. */
  readonly status: string
  readonly swapDetails?: Readonly<Record<string, unknown>>
}

/** A swap of the stand-in. */
export interface StandInSwap {
  readonly depositAddress: string
  readonly depositMemo: string | undefined
  /** As it was answered. */
  readonly response: Readonly<Record<string, unknown>> & { readonly quote: Readonly<Record<string, unknown>> }
  /** Whether the answer was changed in transit. */
  readonly isTampered: boolean
  readonly submitted: Array<string>
  steps: ReadonlyArray<TimelineStep>
  toldAtMillis: number
  polls: number
  /** The index of the step at the last read, and since when. */
  seen: { readonly step: number; readonly atMillis: number }
}

const NOTHING: TimelineStep = { status: "PENDING_DEPOSIT" }

/** The current state of a swap. Reading it does not count as a poll. */
export const stateOf = (swap: StandInSwap, nowMillis: number): TimelineStep => {
  const reached = swap.steps.findLastIndex(
    ({ afterMillis = 0, afterPolls = 0, afterSubmit = false }) =>
      nowMillis - swap.toldAtMillis >= afterMillis &&
      swap.polls >= afterPolls &&
      swap.submitted.length >= Number(afterSubmit),
  )
  if (reached !== swap.seen.step) swap.seen = { step: reached, atMillis: nowMillis }
  return swap.steps[reached] ?? NOTHING
}

/** The answer to a status request: unknown fields are null, as the service writes them. */
export const statusBody = (swap: StandInSwap, { status, swapDetails }: TimelineStep): unknown => ({
  correlationId: swap.response.correlationId,
  quoteResponse: swap.response,
  status,
  updatedAt: new Date(swap.seen.atMillis).toISOString(),
  swapDetails: {
    intentHashes: [],
    nearTxHashes: [],
    amountIn: null,
    amountInFormatted: null,
    amountInUsd: null,
    amountOut: null,
    amountOutFormatted: null,
    amountOutUsd: null,
    slippage: null,
    originChainTxHashes: swap.submitted.map((hash) => ({ hash, explorerUrl: `https://explorer.test/tx/${hash}` })),
    destinationChainTxHashes: [],
    refundedAmount: null,
    refundReason: null,
    depositedAmount: null,
    referral: null,
    ...swapDetails,
  },
})

type Quote = Readonly<Record<string, unknown>>
const HASH = "9dUVb7UkJ5mP1XbYv3jQwVcn4YDxq2p7kq8YyqY8PzWz"

/** Details of a swap that got what was quoted. */
export const depositedDetails = (quote: Quote, amount: unknown = quote.amountIn) => ({
  depositedAmount: amount,
  originChainTxHashes: [{ hash: `deposit${HASH}`, explorerUrl: `https://explorer.test/tx/deposit${HASH}` }],
})

/** Details of a swap that delivered what was quoted. */
export const deliveredDetails = (quote: Quote) => ({
  ...depositedDetails(quote),
  amountIn: quote.amountIn,
  amountOut: quote.amountOut,
  slippage: 0,
  intentHashes: [`intent${HASH}`],
  nearTxHashes: [`near${HASH}`],
  destinationChainTxHashes: [{ hash: `delivery${HASH}`, explorerUrl: `https://explorer.test/tx/delivery${HASH}` }],
})

/** Details of a swap that sent everything back. */
export const refundedDetails = (quote: Quote, refundReason = "PARTIAL_DEPOSIT") => ({
  ...depositedDetails(quote),
  refundedAmount: quote.amountIn,
  refundReason,
  amountOut: null,
})
