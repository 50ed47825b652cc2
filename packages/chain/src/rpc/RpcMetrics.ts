import { RpcEndpointState } from "@launch-registry/domain/system/RpcReport"
import { Effect, Metric } from "effect"
import type { Endpoint } from "./Endpoint.ts"
import { LATENCY_BOUNDS_MILLIS } from "./EndpointFigures.ts"
import type { Endpoints } from "./Endpoints.ts"
import { RpcFault } from "./RpcError.ts"

const FAULT_TAGS = RpcFault.members.map(({ fields }) => fields._tag.schema.literal)
const IGNORED = { update: () => undefined, modify: () => undefined }
const MILLIS_PER_SECOND = 1_000

/**
 * Registers the figures of all endpoints as metrics that are read on scrape. The result shows the reasons of cordons, whenever
 * they have changed.
 */
export const registerRpcMetrics = Effect.fnUntraced(function* (endpoints: Endpoints, now: () => number) {
  const context = yield* Effect.context<never>()
  const registrations: Array<Metric.Registration> = []
  yield* Effect.addFinalizer(() => Effect.sync(() => registrations.forEach((registration) => registration.remove())))

  const counter = (name: string, description: string, attributes: Record<string, string>, read: () => number) => {
    const metric = Metric.counter(name, { description, attributes, incremental: true })
    registrations.push(
      Metric.registerUnsafe(metric, context, { ...IGNORED, get: () => ({ count: read(), incremental: true }) }),
    )
  }
  const gauge = (name: string, description: string, attributes: Record<string, string>, read: () => number) => {
    const metric = Metric.gauge(name, { description, attributes })
    registrations.push(Metric.registerUnsafe(metric, context, { ...IGNORED, get: () => ({ value: read() }) }))
  }
  const latency = ({ figures, name }: Endpoint) => {
    const metric = Metric.histogram("rpc_request_duration_seconds", {
      description: "Time to the answer of RPC calls",
      attributes: { endpoint: name },
      boundaries: LATENCY_BOUNDS_MILLIS.map((bound) => bound / MILLIS_PER_SECOND),
    })
    const get = (): Metric.HistogramState => ({
      buckets: LATENCY_BOUNDS_MILLIS.map((bound, index) => [bound / MILLIS_PER_SECOND, figures.latency.counts[index]!]),
      count: figures.latency.count,
      min: figures.latency.minMillis / MILLIS_PER_SECOND,
      max: figures.latency.maxMillis / MILLIS_PER_SECOND,
      sum: figures.latency.sumMillis / MILLIS_PER_SECOND,
    })
    registrations.push(Metric.registerUnsafe(metric, context, { ...IGNORED, get }))
  }

  counter("rpc_switches_total", "How often another endpoint became the first choice", {}, () => endpoints.switches)
  for (const each of endpoints.all) {
    const { figures, health, name } = each
    const of = { endpoint: name }
    counter("rpc_requests_total", "Requests sent for calls", of, () => figures.calls)
    counter("rpc_probes_total", "Requests sent to probe the endpoint", of, () => figures.probes)
    counter("rpc_hedges_won_total", "Hedges in which the endpoint overtook an earlier one", of, () => figures.hedgesWon)
    counter("rpc_hedges_lost_total", "Hedges that were not needed after all", of, () => figures.hedgesLost)
    counter("rpc_out_of_use_total", "How often the endpoint went out of use", of, () => figures.timesOut)
    for (const fault of FAULT_TAGS) {
      const read = () => figures.errors.get(fault) ?? 0
      counter("rpc_errors_total", "Faults of calls and probes by class", { ...of, class: fault }, read)
    }
    for (const state of RpcEndpointState.literals) {
      const read = () => (health.stateAt(now()) === state ? 1 : 0)
      gauge("rpc_endpoint_state", "1 for the state the endpoint is in", { ...of, state }, read)
    }
    gauge("rpc_endpoint_cordoned", "1 while operators have taken the endpoint out of use, else 0", of, () =>
      each.cordon === undefined ? 0 : 1,
    )
    gauge("rpc_endpoint_slot", "Latest confirmed slot seen", of, () => Number(each.lastSlot?.slot ?? 0))
    gauge("rpc_endpoint_slot_lag", "Slots behind the best endpoint", of, () =>
      each.lastSlot === undefined ? 0 : Number(endpoints.slots.lagOf(each.lastSlot.slot)),
    )
    latency(each)
  }

  let reasons: ReadonlyArray<Metric.Registration> = []
  return () => {
    for (const reason of reasons) reason.remove()
    reasons = endpoints.all.flatMap(({ cordon, name }) => {
      if (cordon === undefined) return []
      const metric = Metric.gauge("rpc_endpoint_cordon_info", {
        description: "1 for each cordoned endpoint, with the reason that the operator gave",
        attributes: { endpoint: name, reason: cordon.reason },
      })
      const registration = Metric.registerUnsafe(metric, context, { ...IGNORED, get: () => ({ value: 1 }) })
      registrations.push(registration)
      return [registration]
    })
  }
})
