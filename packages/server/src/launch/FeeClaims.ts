import type { FeeClaim, FeeClaimFilter } from "@launch-registry/domain/launch/FeeClaims"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { bigintPart, cursorOf, signaturePart } from "@launch-registry/http/answers/Cursor"
import { keysetRows, type ListedTable, planned } from "@launch-registry/postgres/KeysetPage"
import { ORDINAL_MAX } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { FINALITY_COLUMNS, type TradePosition } from "../history/StoredTrade.ts"

/** Which claims: `limit` of them after the one that an earlier page ended with. */
export interface FeeClaimsRange {
  readonly limit: number
  readonly cursor?: string | undefined
}

type ListedClaim = Omit<FeeClaim, "slot" | "time" | "finality"> &
  TradePosition & { readonly slot: bigint; readonly blockTime: Date; readonly isFinalized: boolean }

const CLAIMS: ListedTable = { from: "fee_claims t", keys: ["t.ordinal", "t.signature"] }

const COLUMNS = `${FINALITY_COLUMNS}, t.kind, t.party, t.wallet, t.venue, t.pool, t.position, t.base_amount,
  t.quote_amount, coalesce(t.quote_mint, (select p.quote_mint from dbc_pools p where p.pool = t.pool)) as quote_mint,
  coalesce(t.base_mint, (select p.base_mint from dbc_pools p where p.pool = t.pool),
  (select p.base_mint from dbc_pools p where p.migrated_pool = t.pool limit 1)) as mint_address`

const claimsOf = cursorOf<TradePosition>({ ordinal: bigintPart(ORDINAL_MAX), signature: signaturePart })

/** Reads claims of fees as the indexer saw them, newest first. */
export const feeClaims = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** The pool of a mint, and the one that it migrated to; a mint has one of each. */
  const poolsOf = (mint: string) =>
    Effect.map(
      sql<{ readonly pool: string; readonly migratedPool: string | null }>`
        select pool, migrated_pool from dbc_pools where base_mint = ${mint} order by created_slot, pool limit 1`,
      ([row]) => [row?.pool, row?.migratedPool].filter((pool) => pool != null),
    )

  return Effect.fn("feeClaims")(function* (filter: FeeClaimFilter, { cursor, limit }: FeeClaimsRange) {
    const { mintAddress, walletAddress } = filter
    const cursors = claimsOf("claims", filter)
    const after = cursor === undefined ? undefined : yield* cursors.decode(cursor)
    const pools = mintAddress === undefined ? undefined : yield* Effect.orDie(poolsOf(mintAddress))
    if (pools?.length === 0) return { claims: [], nextCursor: null }
    const ofWallet = walletAddress === undefined ? [] : [sql`t.wallet = ${walletAddress}`]
    const conditions = pools === undefined ? [ofWallet] : pools.map((pool) => [sql`t.pool = ${pool}`, ...ofWallet])
    const range = { limit: limit + 1, offset: 0, after: after && ([after.ordinal, after.signature] as const) }
    const pages = conditions.map((each) => sql`(${keysetRows(sql, CLAIMS, COLUMNS, each, range)})`)
    const all = pages.reduce((left, right) => sql`${left} union all ${right}`)
    const statement = sql<ListedClaim>`select * from (${all}) t order by ordinal desc, signature desc limit ${limit + 1}`
    const found = yield* Effect.orDie(planned(statement))
    const rows = found.slice(0, limit)
    const end = found.length > limit ? rows.at(-1) : undefined
    return { claims: rows.map(toClaim), nextCursor: end === undefined ? null : cursors.encode(end) }
  })
})

const toClaim = ({ blockTime, isFinalized, ordinal: _ordinal, slot, ...claim }: ListedClaim): FeeClaim => ({
  ...claim,
  slot: String(slot),
  time: timestampOf(blockTime),
  finality: isFinalized ? "finalized" : "confirmed",
})
