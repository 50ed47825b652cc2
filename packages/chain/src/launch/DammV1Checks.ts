import { PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import { Effect } from "effect"
import type { CurveSnapshot, MigratedV1Snapshot } from "./CurveSnapshot.ts"
import type { Swap } from "./Swap.ts"

/** Fails where no such swap in the DAMM v1 pool of a migrated curve would land, with the reason. */
export const requireSwappableV1 = (
  { baseMint }: CurveSnapshot,
  { address, state: { a, b, pool } }: MigratedV1Snapshot,
  { swapBaseForQuote }: Swap,
): Effect.Effect<void, PoolNotSwappable> => {
  const because = (reason: PoolNotSwappable["reason"]) => new PoolNotSwappable({ baseMint, pool: address, reason })
  if (!pool.isEnabled) return because("disabled")
  // A vault that is switched off takes no deposits, and still pays out.
  return (swapBaseForQuote ? a : b).vault.isEnabled ? Effect.void : because("vault_disabled")
}
