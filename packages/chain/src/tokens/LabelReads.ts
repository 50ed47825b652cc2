import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import type { AccountsAtSlot } from "../accounts/AccountReads.ts"
import { tokenMetadataAddress } from "../accounts/DerivedAddresses.ts"
import { labelOf, type ReadLabel } from "./MetadataAccounts.ts"

/** Mints in one request: each has two accounts. */
export const LABELS_MAX = 50

/** Reads the labels of up to {@link LABELS_MAX} mints in one request, by mint. */
export const readLabels = Effect.fn("readLabels")(function* (
  read: (addresses: ReadonlyArray<string>) => Effect.Effect<AccountsAtSlot, Unavailable>,
  mints: ReadonlyArray<string>,
): Effect.fn.Return<{ readonly slot: bigint; readonly labels: ReadonlyMap<string, ReadLabel> }, Unavailable> {
  const metaplex = yield* Effect.promise(() => Promise.all(mints.map(tokenMetadataAddress)))
  const { accounts, slot } = yield* read([...mints, ...metaplex])
  const labels = new Map<string, ReadLabel>()
  for (const [index, mint] of mints.entries()) {
    const label = labelOf(mint, metaplex[index]!, accounts[index], accounts[mints.length + index])
    if (label !== undefined) labels.set(mint, label)
  }
  return { slot, labels }
})
