import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Effect } from "effect"
import { Bridge } from "./Bridge.ts"
import { reasonText } from "./intents/IntentsErrors.ts"
import type { CallState, UpstreamCall } from "./Upstream.ts"

/** Timeout for the database. */
const DEADLINE_MILLIS = 1_000

/** An answer of that age says nothing of now: it is asked only while there is something to ask. */
const OLD_MILLIS = 2 * 60 * 60 * 1_000

const WORK: Readonly<Record<UpstreamCall, string>> = {
  watch: "following swaps",
  quote: "quotes",
  tokens: "its list of assets",
}

const healthOf = (states: ReadonlyArray<CallState>): PartHealth => {
  const away = states.find(({ isAway }) => isAway)
  if (away !== undefined) {
    const because = away.reason === null ? "" : `: ${reasonText(away.reason)}`
    return { status: "degraded", detail: `the swap service is down for ${WORK[away.call]}${because}` }
  }
  // Until then every quote is refused and no swap is polled.
  const paused = states.find(({ waitMillis }) => waitMillis > 0)
  if (paused !== undefined) {
    const until = new Date(paused.at.getTime() + paused.waitMillis).toISOString()
    return { status: "degraded", detail: `the swap service asked to wait until ${until}` }
  }
  const [last] = states
    .filter(({ answeredAt }) => answeredAt !== null)
    .toSorted((one, other) => other.answeredAt!.getTime() - one.answeredAt!.getTime())
  if (last === undefined) return { status: "unknown", detail: "not asked yet" }
  const { answeredAt, at } = last
  return at.getTime() - answeredAt!.getTime() < OLD_MILLIS
    ? { status: "up", detail: "the swap service answers" }
    : { status: "unknown", detail: `the swap service last answered at ${answeredAt!.toISOString()}` }
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
