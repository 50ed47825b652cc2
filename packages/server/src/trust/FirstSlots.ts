import type { Address } from "@launch-registry/domain/solana/Address"
import type { FirstSlot } from "@launch-registry/domain/trust/TokenTrust"
import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import type { SqlClient } from "effect/sql/SqlClient"
import { IS_LAUNCH, LAUNCHED_BY } from "../facts/LaunchEvent.ts"

const SHARE_SCALE = 1_000_000n

export interface FirstSlotRow {
  readonly baseMint: string
  readonly slot: bigint
  readonly creator: string | null
  /** In smallest units; null while it is not known. */
  readonly supply: string | null
  readonly creatorAmount: string
  readonly wallets: bigint
  readonly walletsAmount: string
  readonly isFinalized: boolean
}

/**
 * Who bought in the slot in which the pools of these mints were created. A slot has a bounded number of trades, and the index of trades has
 * them together. Who sold in the slot what it bought holds none of it afterwards.
 */
export const firstSlotRows = (sql: SqlClient, mints: ReadonlyArray<string>) => {
  const shift = sql.literal(String(SLOT_SHIFT))
  return sql<FirstSlotRow>`
    select p.base_mint, p.created_slot as slot, launched.creator, coalesce(p.supply, k.supply) as supply,
      bought.creator_amount, bought.wallets, bought.wallets_amount,
      coalesce((
        select c.to_slot >= p.created_slot and ${sql.literal(isFolded("c"))} from coverage c where c.pool = '' and c.from_slot <= p.created_slot
        order by c.from_slot desc limit 1
      ), false) as is_finalized
    from unnest(${mints}::text[]) m (mint)
    cross join lateral (
      select * from dbc_pools where base_mint = m.mint order by created_slot, pool limit 1
    ) p
    left join launch_configs k on k.config_address = p.config
    left join lateral (
      select ${sql.literal(LAUNCHED_BY)} as creator from dbc_events e where e.pool = p.pool and ${sql.literal(IS_LAUNCH)}
      order by e.ordinal limit 1
    ) launched on true
    cross join lateral (
      select coalesce(sum(held) filter (where trader = launched.creator), 0) as creator_amount,
        count(*) filter (where trader is distinct from launched.creator) as wallets,
        coalesce(sum(held) filter (where trader is distinct from launched.creator), 0) as wallets_amount
      from (
        select t.trader, greatest(sum(case when t.side = 'BUY' then t.base_amount else -t.base_amount end), 0) as held
        from trades t
        where t.base_mint = p.base_mint and t.pool = p.pool
          and t.ordinal >= p.created_slot << ${shift} and t.ordinal < (p.created_slot + 1) << ${shift}
        group by t.trader having bool_or(t.side = 'BUY')
      ) held
    ) bought`
}

export const toFirstSlot = (row: FirstSlotRow): FirstSlot => {
  const supply = BigInt(row.supply ?? "0")
  const shareOf = (amount: string) =>
    supply === 0n ? null : Number((BigInt(amount) * SHARE_SCALE) / supply) / Number(SHARE_SCALE)
  return {
    slot: String(row.slot),
    creator: row.creator as Address | null,
    creatorShare: row.creator === null ? null : shareOf(row.creatorAmount),
    wallets: Number(row.wallets),
    walletsShare: shareOf(row.walletsAmount),
    finality: row.isFinalized ? "finalized" : "confirmed",
  }
}
