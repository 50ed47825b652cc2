import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Effect } from "effect"
import { Bridge } from "./Bridge.ts"
import type { CallState } from "./BridgeUpstream.ts"
import type { UpstreamCall } from "./UpstreamBreaker.ts"
import { reasonText } from "./UpstreamReason.ts"

/** Timeout for the database. */
const DEADLINE_MILLIS = 1_000
/** An answer that is older says nothing of now: the list of assets is asked for every five minutes. */
const FRESH_MILLIS = 600_000

const WORK: Readonly<Record<UpstreamCall, string>> = {
  watch: "following swaps",
  quote: "quotes",
  tokens: "its list of assets",
}

/** How the swap service last answered, to all processes together, as of now. */
const healthOf = (states: ReadonlyArray<CallState>): PartHealth => {
  const nowMillis = Math.max(...states.map(({ at }) => at.getTime()))
  const because = ({ reason }: CallState) => (reason === undefined ? "" : `: ${reasonText(reason)}`)
  const isFresh = ({ answeredAt }: CallState) =>
    answeredAt !== undefined && nowMillis - answeredAt.getTime() < FRESH_MILLIS
  const away = states.find(({ isAway }) => isAway)
  if (away !== undefined)
    return { status: "degraded", detail: `the swap service is down for ${WORK[away.call]}${because(away)}` }
  const failing = states.find((state) => state.failures > 0 && !isFresh(state))
  if (failing !== undefined)
    return { status: "degraded", detail: `the swap service gives nothing for ${WORK[failing.call]}${because(failing)}` }
  // Until then every quote is refused and no swap is polled.
  const waitMillis = Math.max(...states.map((state) => state.waitMillis))
  if (waitMillis > 0)
    return {
      status: "degraded",
      detail: `the swap service asked to wait until ${new Date(nowMillis + waitMillis).toISOString()}`,
    }
  const answered = Math.max(...states.map(({ answeredAt }) => answeredAt?.getTime() ?? -Infinity))
  if (answered === -Infinity) return { status: "unknown", detail: "not asked yet" }
  if (nowMillis - answered >= FRESH_MILLIS)
    return { status: "degraded", detail: `the swap service last answered at ${new Date(answered).toISOString()}` }
  return { status: "up", detail: "the swap service answers" }
}

/** How the swap service last answered, to all processes together; it is not asked. */
export const bridgeHealth = Effect.map(Bridge, ({ parts }) =>
  Effect.flatMap(parts, ({ upstream }) => upstream).pipe(
    Effect.timeout(DEADLINE_MILLIS),
    Effect.map(healthOf),
    Effect.catchTag("NotConfigured", ({ reason }) => Effect.succeed<PartHealth>({ status: "off", detail: reason })),
    Effect.catchCause(() =>
      Effect.succeed<PartHealth>({ status: "down", detail: "unknown: the database does not answer" }),
    ),
  ),
)
