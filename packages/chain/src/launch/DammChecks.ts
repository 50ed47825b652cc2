import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import { Effect } from "effect"
import type { ExtraAccounts } from "./AccountReads.ts"
import type { CurveSnapshot, MigratedSnapshot } from "./CurveSnapshot.ts"
import { isFeeKnown } from "./DammFees.ts"
import { mintOf } from "./TokenLayouts.ts"
import { extendableMints, type ExtendableMint, transferExtension } from "./TransferExtensions.ts"

/** Fails where no swap in the DAMM v2 pool of a migrated curve can be quoted, with the reason. */
export const requireSwappable = Effect.fnUntraced(function* (
  curve: CurveSnapshot,
  { address, pool }: MigratedSnapshot,
  mints: ExtraAccounts<ExtendableMint>,
): Effect.fn.Return<void, PoolNotSwappable | Unavailable> {
  const { baseMint } = curve
  const because = (reason: PoolNotSwappable["reason"]) => new PoolNotSwappable({ baseMint, pool: address, reason })
  if (!pool.isEnabled) return yield* because("disabled")
  if (!isFeeKnown(pool)) return yield* because("unknown_fee")
  for (const [name, expected] of Object.entries(extendableMints(curve))) {
    if (expected === undefined) continue
    const mint = mints[name as ExtendableMint]
    // A node that has the pool has its mints.
    if (mint === undefined || mintOf(mint) === undefined) return yield* new Unavailable({ service: "chain" })
    const extension = transferExtension(mint)
    if (extension !== undefined) return yield* because(extension)
  }
})
