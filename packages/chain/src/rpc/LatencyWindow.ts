import type { MethodPolicy } from "./Methods.ts"

const SAMPLES_MAX = 128
/** The quantile is recomputed after this many samples. */
const REFRESH_EVERY = 16
const QUANTILE = 0.95
/** A call is late when it takes this many times the quantile. */
const LATE_FACTOR = 2

/** The latest latencies of one method at one endpoint, and the time after which a call is late. */
export class LatencyWindow {
  readonly #samples: Array<number> = []
  #next = 0
  #untilRefresh = REFRESH_EVERY
  #quantileMillis: number | undefined

  add(latencyMillis: number): void {
    this.#samples[this.#next] = latencyMillis
    this.#next = (this.#next + 1) % SAMPLES_MAX
    if (--this.#untilRefresh > 0) return
    this.#untilRefresh = REFRESH_EVERY
    const sorted = this.#samples.toSorted((left, right) => left - right)
    this.#quantileMillis = sorted[Math.ceil(sorted.length * QUANTILE) - 1]
  }

  /** Time after which a second endpoint is asked; three times the least while nothing has been learned. */
  hedgeMillis({ hedgeMillisMax, hedgeMillisMin }: MethodPolicy): number {
    if (this.#quantileMillis === undefined) return Math.min(3 * hedgeMillisMin, hedgeMillisMax)
    return Math.min(Math.max(LATE_FACTOR * this.#quantileMillis, hedgeMillisMin), hedgeMillisMax)
  }
}
