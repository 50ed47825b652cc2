/** Upper bounds of the latency histogram's buckets. */
export const LATENCY_BOUNDS_MILLIS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000] as const

/** What has been counted of one endpoint since the start. Probes are counted apart. */
export class EndpointFigures {
  calls = 0
  probes = 0
  hedgesWon = 0
  hedgesLost = 0
  /** How often it went out of use. */
  timesOut = 0
  readonly errors = new Map<string, number>()
  readonly latency = {
    /** Answers that took as long as each bound or less. */
    counts: LATENCY_BOUNDS_MILLIS.map(() => 0),
    count: 0,
    sumMillis: 0,
    minMillis: Number.POSITIVE_INFINITY,
    maxMillis: 0,
  }

  error(faultTag: string): void {
    this.errors.set(faultTag, (this.errors.get(faultTag) ?? 0) + 1)
  }

  answered(latencyMillis: number): void {
    const { latency } = this
    for (const [index, bound] of LATENCY_BOUNDS_MILLIS.entries()) if (latencyMillis <= bound) latency.counts[index]!++
    latency.count++
    latency.sumMillis += latencyMillis
    latency.minMillis = Math.min(latency.minMillis, latencyMillis)
    latency.maxMillis = Math.max(latency.maxMillis, latencyMillis)
  }

  /** The bound of the bucket in which this share of all answers lies, or null when there is none. */
  quantileMillis(share: number): number | null {
    const { count, counts, maxMillis } = this.latency
    if (count === 0) return null
    const index = counts.findIndex((answered) => answered >= count * share)
    return Math.min(LATENCY_BOUNDS_MILLIS[index] ?? maxMillis, maxMillis)
  }
}
