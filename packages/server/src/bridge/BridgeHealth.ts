import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Effect } from "effect"
import { Bridge } from "./Bridge.ts"

/** A database that has not answered by then is down for whoever asks. */
const DEADLINE_MILLIS = 1_000

/** How the swap service last answered, to all processes together; it is not asked. */
export const bridgeHealth = Effect.map(Bridge, ({ parts }) =>
  Effect.flatMap(parts, ({ upstream }) => upstream).pipe(
    Effect.timeout(DEADLINE_MILLIS),
    Effect.map(({ isAway, waitMillis }): PartHealth => {
      if (isAway) return { status: "degraded", detail: "the swap service is away; swaps are followed when it is back" }
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
