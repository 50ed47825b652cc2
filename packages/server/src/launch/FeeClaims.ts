import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { FeeClaim, FeeClaimFilter } from "@launch-registry/domain/launch/FeeClaims"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { bigintPart, cursorOf, signaturePart } from "@launch-registry/http/answers/Cursor"
import type { ListedTable } from "@launch-registry/postgres/IndexRanges"
import { listRows, type Way } from "@launch-registry/postgres/ListRows"
import { ORDINAL_MAX } from "@launch-registry/solana/Ordinal"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { FINALITY_COLUMNS, type TradePosition } from "./StoredTrade.ts"

/** Which claims: `limit` of them after the one that an earlier page ended with. */
export interface FeeClaimsRange {
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface FeeClaimsPage {
  readonly claims: ReadonlyArray<FeeClaim>
  readonly nextCursor: string | null
}

type ListedClaim = Omit<FeeClaim, "slot" | "time" | "finality"> &
  TradePosition & { readonly slot: bigint; readonly blockTime: Date; readonly isFinalized: boolean }

const CLAIMS: ListedTable = {
  from: "fee_claims t",
  keys: [
    { column: "ordinal", type: "bigint" },
    { column: "signature", type: "text" },
  ],
  leads: "desc",
  hasTies: true,
}

const COLUMNS = `${FINALITY_COLUMNS}, t.kind, t.party, t.wallet, t.quote_mint, t.venue, t.pool, t.position, t.base_amount,
  t.quote_amount, coalesce(t.base_mint, (select p.base_mint from dbc_pools p where p.pool = t.pool),
  (select p.base_mint from dbc_pools p where p.migrated_pool = t.pool limit 1)) as mint`

const claimsOf = cursorOf<TradePosition>({ ordinal: bigintPart(ORDINAL_MAX), signature: signaturePart })

/** Claims of fees as the indexer saw them. */
export class FeeClaims extends Context.Service<
  FeeClaims,
  {
    /** Newest first. */
    readonly list: (filter: FeeClaimFilter, range: FeeClaimsRange) => Effect.Effect<FeeClaimsPage, InvalidRequest>
  }
>()("@launch-registry/server/launch/FeeClaims") {
  static readonly layer = Layer.effect(
    FeeClaims,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** The pool of a mint, and the one that it migrated to; a mint has one of each. */
      const poolsOf = (mint: string) =>
        Effect.map(
          sql<{ readonly pool: string; readonly migratedPool: string | null }>`
            select pool, migrated_pool from dbc_pools where base_mint = ${mint} order by created_slot, pool limit 1`,
          ([row]) => [row?.pool, row?.migratedPool].filter((pool) => pool != null),
        )

      /** Indexes that have claims of a filter in their order, and what each leaves to compare. */
      const waysTo = (wallet: string | undefined, pools: ReadonlyArray<string> | undefined): ReadonlyArray<Way> => {
        const [table, within] = [CLAIMS, []]
        const ofPools = pools === undefined ? [] : [sql`t.pool = any(${pools}::text[])`]
        const ofWallet = wallet === undefined ? [] : [sql`t.wallet = ${wallet}`]
        if (wallet !== undefined)
          return [{ table, within, leads: [{ column: "t.wallet", type: "text", value: wallet }], left: ofPools }]
        if (pools !== undefined)
          return [
            {
              table,
              within,
              leads: [{ column: "t.pool", type: "text", each: pools.map((pool) => sql`${pool}::text`) }],
              left: ofWallet,
            },
          ]
        return [{ table, within, leads: [], left: [] }]
      }

      const list = Effect.fn("FeeClaims.list")(function* (filter: FeeClaimFilter, { cursor, limit }: FeeClaimsRange) {
        const { mintAddress, walletAddress } = filter
        const cursors = claimsOf("claims", filter)
        const after = cursor === undefined ? undefined : yield* cursors.decode(cursor)
        const pools = mintAddress === undefined ? undefined : yield* Effect.orDie(poolsOf(mintAddress))
        if (pools?.length === 0) return { claims: [], nextCursor: null }
        const range = { limit: limit + 1, offset: 0, after: after && ([after.ordinal, after.signature] as const) }
        const found = yield* Effect.orDie(
          listRows<ListedClaim, bigint>(sql, waysTo(walletAddress, pools), COLUMNS, range),
        )
        const rows = found.rows.slice(0, limit)
        const end =
          found.rows.length > limit ? rows.at(-1) : found.end && { ordinal: found.end[0], signature: found.end[1] }
        return { claims: rows.map(toClaim), nextCursor: end === undefined ? null : cursors.encode(end) }
      })

      return FeeClaims.of({ list })
    }),
  )
}

const toClaim = ({ blockTime, isFinalized, ordinal: _ordinal, slot, ...claim }: ListedClaim): FeeClaim => ({
  ...claim,
  slot: String(slot),
  time: timestampOf(blockTime),
  finality: isFinalized ? "finalized" : "confirmed",
})
