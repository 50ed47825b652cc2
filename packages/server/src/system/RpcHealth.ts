import { programsMissing } from "@launch-registry/chain/localnet/MissingPrograms"
import type { RpcEndpointReport, RpcReport } from "@launch-registry/domain/system/RpcReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"

/** Endpoint states in words, for operators. */
export const ENDPOINT_STATES: Readonly<Record<RpcEndpointReport["state"], string>> = {
  closed: "up",
  open: "down",
  paused: "rate limited",
  behind: "too far behind",
  forbidden: "rejects the key",
  wrong_cluster: "on another cluster",
  unverified: "not checked yet",
  resting: "up, resting",
}
/** States that need no attention. */
const IS_WELL: ReadonlySet<string> = new Set<RpcEndpointReport["state"]>(["closed", "resting"])

const describeEndpoint = ({ cordon, name, slot, slotLag, state }: RpcEndpointReport): string =>
  `${name} ${ENDPOINT_STATES[state]}${slot === null ? "" : ` at slot ${slot}`}${slotLag ? ` (${slotLag} behind)` : ""}` +
  (cordon === undefined ? "" : ", cordoned")

const stillFor = (seconds: number): string =>
  `no new slot has been confirmed for ${seconds} s: reads go on, transactions are not built until the chain does`

/** Health of the endpoints, and whether the chain goes on that they show. */
export const rpcHealth = (
  { endpoints: all, stillSeconds }: RpcReport,
  missingPrograms: ReadonlyArray<string> = [],
): PartHealth => {
  // When all are cordoned, none counts as such.
  const isAllCordoned = all.every(({ cordon }) => cordon !== undefined)
  const well = all.filter(({ cordon, state }) => IS_WELL.has(state) && (isAllCordoned || cordon === undefined))
  const status = well.length === all.length ? "up" : well.length > 0 ? "degraded" : "down"
  const missing = missingPrograms.length === 0 ? [] : [`launches do not land: ${programsMissing(missingPrograms)}`]
  const detail = [all.map(describeEndpoint).join(", "), ...missing].join("; ")
  if (stillSeconds === undefined) return { status, detail }
  // The endpoints are well, and reads are served: it is the chain that stands still, or confirms nothing.
  return { status: status === "up" ? "degraded" : status, detail: `${detail}; ${stillFor(stillSeconds)}` }
}
