import type { Samples } from "./ClientMain.ts"
import type { StandIn } from "./StandIn.ts"

/** Calls in flight between two moments after the start. */
export interface Window {
  readonly calls: number
  readonly failed: number
  readonly p50: number
  readonly p99: number
  readonly slowest: number
  readonly perSecond: number
}

export const windowOf = ({ at, endpoint, millis }: Samples, from: number, to: number): Window => {
  const inside = at.flatMap((moment, index) => (moment + millis[index]! >= from && moment < to ? [index] : []))
  const sorted = inside.map((index) => millis[index]!).sort((left, right) => left - right)
  const quantile = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return {
    calls: inside.length,
    failed: inside.filter((index) => endpoint[index] === 0).length,
    p50: quantile(0.5),
    p99: quantile(0.99),
    slowest: sorted.at(-1) ?? Number.NaN,
    perSecond: (inside.length * 1_000) / (to - from),
  }
}

/** Milliseconds from a moment until the primary answers most calls within half a second again. */
export const failbackMillis = ({ at, endpoint }: Samples, from: number, to: number): number | undefined => {
  for (let start = from; start + 500 <= to; start += 100) {
    const inside = at.flatMap((moment, index) => (moment >= start && moment < start + 500 ? [endpoint[index]!] : []))
    if (inside.length > 0 && inside.filter((each) => each === 1).length > inside.length / 2) return start - from
  }
  return undefined
}

/** How long after a moment the last call began that the primary answered. */
export const lastPrimaryMillis = ({ at, endpoint }: Samples, from: number, to: number): number => {
  const moments = at.filter((moment, index) => moment >= from && moment < to && endpoint[index] === 1)
  return moments.reduce((last, moment) => Math.max(last, moment - from), 0)
}

/** Requests that the endpoints received per call of a client, probes included. */
export const amplification = (
  nodes: ReadonlyArray<StandIn>,
  samples: Samples,
  from: number,
  to: number,
): { readonly calls: number; readonly withProbes: number } => {
  const { calls } = windowOf(samples, from, to)
  const blockhashes = samples.blockhashes.filter(([at]) => at >= from && at < to).length
  const upstream = nodes.map((node) => node.between(samples.startedAt + from, samples.startedAt + to))
  const requests = upstream.reduce((sum, each) => sum + each.calls, 0)
  const probes = upstream.reduce((sum, each) => sum + each.probes, 0)
  return { calls: requests / (calls + blockhashes), withProbes: (requests + probes) / (calls + blockhashes) }
}

/** The oldest blockhash returned between two moments, in slots behind the cluster. */
export const oldestBlockhash = ({ blockhashes }: Samples, from: number, to: number): number =>
  Math.max(0, ...blockhashes.filter(([at]) => at >= from && at < to).map(([, age]) => age))
