import type { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"

export const TARGETS = ["service", "PostgreSQL", "both"] as const
export type Target = (typeof TARGETS)[number]

export interface Kill {
  readonly target: Target
  /** Since the killed process answered again; or since the kill, if the next one does not wait for that. */
  readonly afterMillis: number
  readonly isWaited: boolean
}

const CALM_MILLIS = [100, 3_000] as const
/** A restart takes longer than this. */
const UNREST_MILLIS = 1_500
const UNREST_SHARE = 0.15

/** Which process is killed next, and when; sometimes before everything is up again. */
export const nextKill = (random: SeededRandom): Kill => {
  const target = random.pick(TARGETS)
  return random.chance(UNREST_SHARE)
    ? { target, afterMillis: random.below(UNREST_MILLIS), isWaited: false }
    : { target, afterMillis: random.between(...CALM_MILLIS), isWaited: true }
}
