import type { Finding } from "./Findings.ts"
import type { Traffic } from "./TrafficRates.ts"

/** As the alerts of the runbook have it; of fewer requests a share says nothing. */
const [FAILED_SHARE_MAX, SECONDS_P95_MAX, REQUESTS_MIN] = [0.05, 1, 20]
const LIMITED_SHARE_MAX = 0.05

const percent = (part: number, whole: number): string => `${Math.round((part / whole) * 100)} %`

/** What is not well with the requests of the last minute. */
export const trafficFindings = (traffic: Traffic | undefined): ReadonlyArray<Finding> => {
  if (traffic === undefined || traffic.requests < REQUESTS_MIN) return []
  const { failed, limited, p95, requests, routes, slowest } = traffic
  const found: Array<Finding> = []
  if (failed > requests * FAILED_SHARE_MAX)
    found.push({
      ...{ isBad: true, what: `${percent(failed, requests)} of the requests fail, most of them ${routes[0]!.route}` },
      next: "A 503 names its part by its code: go to that part. A 500 is a defect: its cause is in the log, by request id.",
      runbook: "RequestErrors",
    })
  if (p95 !== undefined && p95 > SECONDS_P95_MAX)
    found.push({
      ...{ isBad: false, what: `One request in 20 takes longer than a second, the slowest are ${slowest}` },
      next: "Look at what it waits for: statements, a connection, an RPC endpoint, or the process itself.",
      runbook: "RequestsSlow",
    })
  if (limited > requests * LIMITED_SHARE_MAX)
    found.push({
      ...{ isBad: false, what: `${percent(limited, requests)} of the requests are refused with 429` },
      next: "Somebody asks more often than the limits allow, or all clients have one address behind a proxy: docs/operations.md, Limits.",
    })
  return found
}
