import type { LiquidityChange } from "@launch-registry/domain/launch/LiquidityChanges"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { bigintPart, cursorOf, signaturePart } from "@launch-registry/http/answers/Cursor"
import { ORDINAL_MAX } from "@launch-registry/domain/solana/Ordinal"
import { keysetPage, type ListedTable } from "@launch-registry/postgres/KeysetPage"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { FINALITY_COLUMNS, type TradePosition } from "../history/StoredTrade.ts"
import type { FeeClaimsRange } from "./FeeClaims.ts"

type ListedChange = Omit<LiquidityChange, "slot" | "time" | "finality"> &
  TradePosition & { readonly slot: bigint; readonly blockTime: Date; readonly isFinalized: boolean }

/** Only DAMM v2 has them: their finality goes by the proof of the migrated pool. */
const CHANGES: ListedTable = {
  from: "(select *, 'damm_v2' as venue from dbc_events where type = 'LiquidityChanged') t",
  keys: ["t.ordinal", "t.signature"],
}

const COLUMNS = `${FINALITY_COLUMNS}, t.facts ->> 'change' as change, t.facts ->> 'owner' as owner,
  t.facts ->> 'position' as position, t.facts ->> 'baseAmount' as base_amount, t.facts ->> 'quoteAmount' as quote_amount,
  t.facts ->> 'liquidity' as liquidity, t.facts ->> 'lockedUntil' as locked_until, t.facts ->> 'toPosition' as to_position,
  t.facts ->> 'toOwner' as to_owner`

const changesOf = cursorOf<TradePosition>({ ordinal: bigintPart(ORDINAL_MAX), signature: signaturePart })

/** Reads changes of the liquidity of a migrated pool as the indexer saw them, newest first. */
export const liquidityChanges = Effect.gen(function* () {
  const sql = yield* SqlClient

  return Effect.fn("liquidityChanges")(function* (mint: string, { cursor, limit }: FeeClaimsRange) {
    const cursors = changesOf("liquidity", { mint })
    const after = cursor === undefined ? undefined : yield* cursors.decode(cursor)
    const ofPool = sql`t.pool = (
      select migrated_pool from dbc_pools where base_mint = ${mint} order by created_slot, pool limit 1)`
    const range = { limit: limit + 1, offset: 0, after: after && ([after.ordinal, after.signature] as const) }
    const found = yield* Effect.orDie(keysetPage<ListedChange>(sql, CHANGES, COLUMNS, [ofPool], range))
    const rows = found.slice(0, limit)
    const end = found.length > limit ? rows.at(-1) : undefined
    return { changes: rows.map(toChange), nextCursor: end === undefined ? null : cursors.encode(end) }
  })
})

const toChange = ({ blockTime, isFinalized, ordinal: _ordinal, slot, ...change }: ListedChange): LiquidityChange => ({
  ...change,
  slot: String(slot),
  time: timestampOf(blockTime),
  finality: isFinalized ? "finalized" : "confirmed",
})
