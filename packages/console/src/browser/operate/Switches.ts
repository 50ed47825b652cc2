import type { RpcEndpoint, RpcReport } from "./Reports.ts"

/** A change of an RPC endpoint that this page saw. */
export interface SeenChange {
  /** Milliseconds of the epoch: when it was read, up to five seconds after it happened. */
  readonly at: number
  readonly what: string
}

const CHANGES_MAX = 50

const stateOf = ({ cordon, state }: RpcEndpoint): string => (cordon === undefined ? state : "cordoned")

/** What changed from one report to the next. */
export const changesBetween = (before: RpcReport, after: RpcReport, at: number): ReadonlyArray<SeenChange> => {
  const found: Array<SeenChange> = []
  const known = new Map(before.endpoints.map((endpoint) => [endpoint.name, stateOf(endpoint)]))
  for (const endpoint of after.endpoints) {
    const [was, is] = [known.get(endpoint.name), stateOf(endpoint)]
    if (was !== undefined && was !== is) found.push({ at, what: `${endpoint.name} went from ${was} to ${is}` })
  }
  // A restarted replica, or another one, counts from the beginning.
  const switched = after.switches - before.switches
  if (switched > 0)
    found.push({ at, what: `calls changed to another endpoint, ${switched} time${switched === 1 ? "" : "s"}` })
  return found
}

/** The newest first, and no more than fit on a screen. */
export const withChanges = (
  seen: ReadonlyArray<SeenChange>,
  more: ReadonlyArray<SeenChange>,
): ReadonlyArray<SeenChange> => (more.length === 0 ? seen : [...more.toReversed(), ...seen].slice(0, CHANGES_MAX))
