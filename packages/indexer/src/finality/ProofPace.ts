/** How often pools are compared with the chain. */
export interface ProofPace {
  /** Between two comparisons of a pool that trades; the shortest there is. */
  readonly activeMillis: number
  /** Requests of a round; a listing that has begun may take one page more. */
  readonly requestsMax: number
  /** How long a slot takes: time passes on the chain, as slots. */
  readonly slotMillis: number
}

/** The longest pause between two comparisons: what is missed of a pool that nobody trades is found by then. */
export const IDLE_MILLIS_MAX = 6 * 3_600_000

/** A pool that was idle for an hour can wait for a quarter of that. */
const IDLE_SHARE = 4

/** When a pool is next compared, after its newest transaction so many slots ago. */
export const pauseAfter = (idleSlots: bigint, { activeMillis, slotMillis }: ProofPace): number => {
  const idle = (Number(idleSlots < 0n ? 0n : idleSlots) * slotMillis) / IDLE_SHARE
  return Math.min(Math.max(idle, activeMillis), Math.max(IDLE_MILLIS_MAX, activeMillis))
}

/** When a pool is compared again whose comparison failed, so many times in a row. */
export const pauseAfterFailure = (failures: number, { activeMillis }: Pick<ProofPace, "activeMillis">): number =>
  Math.min(activeMillis * 2 ** Math.min(failures, 32), Math.max(IDLE_MILLIS_MAX, activeMillis))
