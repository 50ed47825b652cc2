import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Effect } from "effect"
import { Bridge } from "./Bridge.ts"
import type { UpstreamCall } from "./UpstreamBreaker.ts"
import { reasonText } from "./UpstreamReason.ts"

/** A database that has not answered by then is down for whoever asks. */
const DEADLINE_MILLIS = 1_000

const WORK: Readonly<Record<UpstreamCall, string>> = {
  watch: "following swaps",
  quote: "quotes",
  tokens: "its list of assets",
}

/** How the swap service last answered, to all processes together; it is not asked. */
export const bridgeHealth = Effect.map(Bridge, ({ parts }) =>
  Effect.flatMap(parts, ({ upstream }) => upstream).pipe(
    Effect.timeout(DEADLINE_MILLIS),
    Effect.map(({ call, isAway, reason, waitMillis }): PartHealth => {
      if (isAway) {
        const why = reason === undefined ? "" : `: ${reasonText(reason)}`
        return { status: "degraded", detail: `the swap service is away for ${WORK[call]}${why}` }
      }
      return { status: "up", detail: waitMillis > 0 ? "the swap service asked to wait" : "the swap service answers" }
    }),
    Effect.catchTag("BridgeNotConfigured", ({ reason }) =>
      Effect.succeed<PartHealth>({ status: "off", detail: reason }),
    ),
    Effect.catchCause(() =>
      Effect.succeed<PartHealth>({ status: "down", detail: "unknown: the database does not answer" }),
    ),
  ),
)
