/** How often pools are compared with the chain. */
export interface ProofPace {
  /** Between two comparisons of a pool that trades; the shortest there is. */
  readonly activeMillis: number
  /** Requests of a round; a listing that has begun may take one page more. */
  readonly requestsMax: number
}

/** The longest pause between two comparisons: what is missed of a pool that nobody trades is found by then. */
export const IDLE_MILLIS_MAX = 6 * 3_600_000

/** Time passes on the chain, as slots; nearly always by this much each. */
const SLOT_MILLIS = 400

/** A pool that was idle for an hour can wait for a quarter of that. */
const IDLE_SHARE = 4

/** When a pool is next compared, after its newest transaction so many slots ago. */
export const pauseAfter = (idleSlots: bigint, { activeMillis }: ProofPace): number => {
  const idle = (Number(idleSlots < 0n ? 0n : idleSlots) * SLOT_MILLIS) / IDLE_SHARE
  return Math.min(Math.max(idle, activeMillis), Math.max(IDLE_MILLIS_MAX, activeMillis))
}

/** When a pool is compared again whose comparison failed, so many times in a row. */
export const pauseAfterFailure = (failures: number, { activeMillis }: ProofPace): number =>
  Math.min(activeMillis * 2 ** Math.min(failures, 32), Math.max(IDLE_MILLIS_MAX, activeMillis))
