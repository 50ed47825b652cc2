import { PriorityFeeMax } from "@launch-registry/chain/build/PriorityFees"
import { Claims } from "@launch-registry/chain/claims/Claims"
import type { LaunchpadPresets } from "@launch-registry/chain/launches/ConfigPreset"
import { LaunchTransactions } from "@launch-registry/chain/launches/LaunchTransactions"
import { OneStepLaunches } from "@launch-registry/chain/launches/OneStepLaunches"
import { Swaps } from "@launch-registry/chain/swaps/Swaps"
import { migrationPositions } from "@launch-registry/server/launch/PoolDirectory"
import { Layer } from "effect"

export interface BuilderOptions {
  readonly launchpads?: LaunchpadPresets
  /** The most that a priority fee may be, for each transaction; 0.01 SOL by default. */
  readonly priorityFeeMaxLamports?: bigint
}

/** What builds transactions: of launches, swaps and claims. */
export const builderParts = ({ launchpads, priorityFeeMaxLamports }: BuilderOptions) =>
  Layer.mergeAll(
    LaunchTransactions.layer(launchpads),
    OneStepLaunches.layer(launchpads),
    Swaps.layer,
    Layer.provide(Claims.layer, migrationPositions),
  ).pipe(
    Layer.provide(
      priorityFeeMaxLamports === undefined ? Layer.empty : Layer.succeed(PriorityFeeMax, priorityFeeMaxLamports),
    ),
  )
