import { StorageFull } from "@launch-registry/domain/ipfs/IpfsErrors"
import { WriteCapsOfServer } from "@launch-registry/http/limits/WriteCaps"
import { writeDays } from "@launch-registry/http/limits/WriteDays"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Caps on uploads: of a client in a day, and on the bytes of all that are stored. */
export const uploadCaps = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { storedBytes: limitBytes } = yield* WriteCapsOfServer
  const days = yield* writeDays("uploads_today")

  /** Refuses what is beyond the cap with its own bytes. The lock makes uploads at the same time see each other. */
  const checkStored = Effect.fnUntraced(function* (limitBytes: number) {
    yield* sql`select pg_advisory_xact_lock(hashtext('ipfs_uploads'))`
    const [row] = yield* sql<{ readonly isFull: boolean }>`
      select coalesce(sum(size_bytes), 0) > ${limitBytes}::bigint as is_full from ipfs_uploads`
    if (row!.isFull) return yield* new StorageFull({ limitBytes })
  })

  /** Counts an upload in the transaction that stores it; what `store` returns as new counts in the store as well. */
  const counting = <A extends { readonly isNew: boolean }, E, R>(store: Effect.Effect<A, E, R>) =>
    store.pipe(
      Effect.tap(({ isNew }) => (isNew && limitBytes !== undefined ? checkStored(limitBytes) : Effect.void)),
      days.counting,
    )

  return { counting }
})
