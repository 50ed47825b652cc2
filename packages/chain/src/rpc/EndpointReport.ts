import type { RpcEndpointReport } from "@launch-registry/domain/system/RpcReport"
import type { Endpoint } from "./Endpoint.ts"
import { LATENCY_BOUNDS_MILLIS } from "./EndpointFigures.ts"
import type { Endpoints } from "./Endpoints.ts"
import { describeFault } from "./RpcError.ts"

/** The state of an endpoint; holds nothing secret. */
export const reportOf = (endpoint: Endpoint, endpoints: Endpoints, now: number): RpcEndpointReport => {
  const { cordon, figures, genesisHash, health, lastFault, lastSlot, name } = endpoint
  return {
    name,
    state: health.stateAt(now),
    ...(cordon !== undefined && { cordon: { reason: cordon.reason, since: cordon.since.toISOString() } }),
    slot: lastSlot === undefined ? null : String(lastSlot.slot),
    slotLag: lastSlot === undefined ? null : Number(endpoints.slots.lagOf(lastSlot.slot)),
    genesisHash: genesisHash ?? null,
    latencyMillis: {
      p50: rounded(figures.quantileMillis(0.5)),
      p95: rounded(figures.quantileMillis(0.95)),
      p99: rounded(figures.quantileMillis(0.99)),
    },
    latencyHistogram: [
      ...LATENCY_BOUNDS_MILLIS.map((upToMillis, index) => ({ upToMillis, count: figures.latency.counts[index]! })),
      { upToMillis: null, count: figures.latency.count },
    ],
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

const rounded = (millis: number | null): number | null => (millis === null ? null : Math.round(millis * 10) / 10)
