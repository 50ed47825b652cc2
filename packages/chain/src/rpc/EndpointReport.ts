import type { Endpoint } from "./Endpoint.ts"
import { LATENCY_BOUNDS_MILLIS } from "./EndpointFigures.ts"
import type { EndpointState } from "./EndpointHealth.ts"
import type { Endpoints } from "./Endpoints.ts"
import { describeFault } from "./RpcError.ts"

/** What is known of an endpoint; holds nothing secret. Times are milliseconds, latencies those of answered calls. */
export interface EndpointReport {
  readonly name: string
  readonly state: EndpointState
  readonly slot: string | null
  /** Slots behind the best endpoint. */
  readonly slotLag: number | null
  readonly genesisHash: string | null
  readonly latencyMillis: { readonly p50: number | null; readonly p95: number | null; readonly p99: number | null }
  /** Answers up to each bound, in all; null is the one without a bound. */
  readonly latencyHistogram: ReadonlyArray<{ readonly upToMillis: number | null; readonly count: number }>
  readonly calls: number
  readonly probes: number
  readonly errors: Readonly<Record<string, number>>
  /** Methods that this endpoint does not let us use. */
  readonly refusedMethods: ReadonlyArray<string>
  readonly hedgesWon: number
  readonly hedgesLost: number
  readonly timesOutOfUse: number
  readonly lastFault: { readonly fault: string; readonly method: string; readonly atMillis: number } | null
}

export const reportOf = (endpoint: Endpoint, endpoints: Endpoints, now: number): EndpointReport => {
  const { figures, genesisHash, health, lastFault, lastSlot, name } = endpoint
  return {
    name,
    state: health.stateAt(now),
    slot: lastSlot === undefined ? null : String(lastSlot.slot),
    slotLag: lastSlot === undefined ? null : Number(endpoints.lagOf(lastSlot.slot)),
    genesisHash: genesisHash ?? null,
    latencyMillis: {
      p50: figures.quantileMillis(0.5),
      p95: figures.quantileMillis(0.95),
      p99: figures.quantileMillis(0.99),
    },
    latencyHistogram: [...cumulated(figures.latency.counts)].map(([upToMillis, count]) => ({ upToMillis, count })),
    calls: figures.calls,
    probes: figures.probes,
    errors: Object.fromEntries(figures.errors),
    refusedMethods: endpoint.refusedMethods,
    hedgesWon: figures.hedgesWon,
    hedgesLost: figures.hedgesLost,
    timesOutOfUse: figures.timesOut,
    lastFault:
      lastFault === undefined
        ? null
        : { fault: describeFault(lastFault.fault), method: lastFault.method, atMillis: lastFault.atMillis },
  }
}

/** Bounds with how many values lie at or below them. */
export function* cumulated(counts: ReadonlyArray<number>): Generator<[bound: number | null, count: number]> {
  let sum = 0
  for (const [index, count] of counts.entries()) {
    sum += count
    yield [LATENCY_BOUNDS_MILLIS[index] ?? null, sum]
  }
}
