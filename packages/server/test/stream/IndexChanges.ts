import { notifying } from "@launch-registry/postgres/CommitNotices"
import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"

const TIME = "2026-11-21T09:30:00.000Z"

/** A change of each type of a mint, with the given differences. */
export const sampleChange = (
  type: ChainChange["type"],
  mintAddress: string,
  fields: Readonly<Record<string, unknown>> = {},
): object => {
  const seen = { type, slot: "1", signature: sampleAddress(), time: TIME }
  const pool = sampleAddress()
  switch (type) {
    case "token":
      return {
        ...{ ...seen, mintAddress, quoteMint: SOL, pool, config: sampleAddress(), creator: sampleAddress() },
        ...{ name: "Sample", symbol: "SMPL", uri: "https://example.com/t.json", ...fields },
      }
    case "trade":
      return {
        ...{ ...seen, mintAddress, quoteMint: SOL, pool, trader: sampleAddress(), side: "BUY", venue: "dbc" },
        ...{ baseAmount: "1", quoteAmount: "2", fee: "0", sqrtPrice: "18446744073709551616", quoteReserve: null },
        ...fields,
      }
    case "pool":
      return {
        type,
        slot: "1",
        mintAddress,
        pool,
        venue: "dbc",
        sqrtPrice: "18446744073709551616",
        quoteReserve: null,
        ...fields,
      }
    case "graduation":
      return { ...seen, pool, stage: "completed", mintAddress, migratedPool: null, ...fields }
    case "creator":
      return { ...seen, pool, mintAddress, creator: sampleAddress(), ...fields }
    case "liquidity":
      return {
        ...{ ...seen, mintAddress, quoteMint: SOL, pool, change: "withdrawn", owner: sampleAddress() },
        ...{ position: sampleAddress(), baseAmount: "1", quoteAmount: "2", liquidity: "3" },
        ...{ lockedUntil: null, toPosition: null, toOwner: null, ...fields },
      }
    case "revert":
      return { type, slot: "1", signature: seen.signature, mintAddresses: [], pools: [], creatorPools: [], ...fields }
  }
}

/** Writes a row of `index_changes` with any text; returns its id. */
export const commitText = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly id: bigint }>`
    insert into index_changes (id, changes, committed_at)
    select coalesce(max(id), 0) + 1, ${text}::text, now() from index_changes
    returning id, ${notifying(sql, "changes")}`
  return Number(row!.id)
})

/** Writes a row of `index_changes` as the indexer does; returns its id. */
export const commitChanges = (...changes: ReadonlyArray<object>) => commitText(JSON.stringify(changes))
