import { NewestLaunches } from "@launch-registry/domain/launch/NewestLaunches"
import { Effect, Layer } from "effect"
import { Launches } from "./Launches.ts"
import type { LaunchScope } from "./ListLaunches.ts"

/** The first page of the list of launches. */
export const newestLaunches = Layer.effect(
  NewestLaunches,
  Effect.map(Launches, ({ list }) => {
    const scope: LaunchScope = {
      ...{ sort: "newest" as const, registered: "any" as const, stage: undefined },
      ...{ config: undefined, creator: undefined, quoteMint: undefined, mints: undefined },
    }
    return {
      read: (limit) =>
        Effect.map(list(scope, { limit, offset: 0, after: undefined }, { market: true, trust: false }), ({ rows }) =>
          rows.map(({ item }) => item),
        ),
    }
  }),
)
