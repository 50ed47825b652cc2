import type { CountedHistogram } from "./MetricSeries.ts"

/** Times in seconds, counted by bucket. */
export class DurationHistogram implements CountedHistogram {
  readonly bounds: ReadonlyArray<number>
  readonly counts: Array<number>
  count = 0
  sum = 0
  max = 0

  constructor(bounds: ReadonlyArray<number>) {
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  add(seconds: number): void {
    let bucket = 0
    while (bucket < this.bounds.length && seconds > this.bounds[bucket]!) bucket++
    this.counts[bucket]!++
    this.count++
    this.sum += seconds
    if (seconds > this.max) this.max = seconds
  }
}
