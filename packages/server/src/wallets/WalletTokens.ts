import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { NATIVE_DECIMALS } from "@launch-registry/chain/pools/Pools"
import { ORDINAL_MAX, SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { WALLET_LAUNCHES_MAX, WALLET_TRADES_MAX } from "@launch-registry/domain/wallets/WalletToken"
import { addressPart, bigintPart, cursorOf } from "@launch-registry/http/answers/Cursor"
import { planned } from "@launch-registry/postgres/KeysetPage"
import type { SqlClient } from "effect/sql/SqlClient"
import { KEPT_FROM } from "../history/KeptTrades.ts"
import { lastQuotePrice, type QuotePrice } from "../prices/QuotePrices.ts"

/** Where a page of a wallet's tokens ended: `head` is the newest place in the chain that its first page knew. */
export interface WalletPosition {
  readonly head: bigint
  readonly ordinal: bigint
  readonly mintAddress: string
}

export const walletTokensOf = cursorOf<WalletPosition>({
  ...{ head: bigintPart(ORDINAL_MAX), ordinal: bigintPart(ORDINAL_MAX), mintAddress: addressPart },
})

/** What was looked through; the same in each row. */
interface Counted {
  readonly countedTrades: number
  readonly countedLaunches: number
  readonly head: bigint | null
  readonly keptFrom: bigint
}

export interface WalletTokenRow extends QuotePrice {
  readonly ordinal: bigint
  readonly mintAddress: string
  readonly pool: string
  readonly config: string
  readonly poolType: number
  readonly isCreator: boolean
  readonly earns: boolean
  readonly decimals: number | null
  readonly quoteDecimals: number | null
  readonly sqrtPrice: string | null
  readonly trades: number
  readonly boughtBase: string
  readonly boughtQuote: string
  readonly soldBase: string
  readonly soldQuote: string
  readonly lastTradeAt: Date | null
}

const SHIFT = String(SLOT_SHIFT)
const SUMS = (["BUY", "SELL"] as const)
  .flatMap((side) =>
    (["base", "quote"] as const).map(
      (token) =>
        `coalesce(sum(${token}_amount) filter (where side = '${side}'), 0) as ${side === "BUY" ? "bought" : "sold"}_${token}`,
    ),
  )
  .join(", ")

/**
 * Registered tokens that a wallet has traded or launched, newest first: one row without a token where there is none. What belongs to a
 * token is looked up one by one: in a join, the planner would read whole tables for a wallet of thousands.
 */
export const walletTokens = (
  sql: SqlClient,
  wallet: string,
  { after, limit }: { readonly after: WalletPosition | undefined; readonly limit: number },
) => {
  const upTo = (ordinal: string) => (after === undefined ? sql`` : sql`and ${sql.literal(ordinal)} <= ${after.head}`)
  const isAfter =
    after === undefined ? sql`` : sql`and (k.ordinal, k.base_mint) < (${after.ordinal}, ${after.mintAddress})`
  return planned(sql<Counted & (WalletTokenRow | { readonly mintAddress: null })>`
    with traded as materialized (
      select t.base_mint, t.ordinal, t.side, t.base_amount, t.quote_amount, t.block_time from trades t
      where hashtextextended(t.trader, 0) = hashtextextended(${wallet}::text, 0) and t.trader = ${wallet} ${upTo("t.ordinal")}
      order by t.ordinal desc, t.signature desc limit ${WALLET_TRADES_MAX + 1}
    ), created as materialized (
      select l.base_mint, p.created_slot << ${sql.literal(SHIFT)} as ordinal from (
        select pool, base_mint from launch_listings where creator = ${wallet}
        order by launched_at desc, pool desc limit ${WALLET_LAUNCHES_MAX + 1}
      ) l
      cross join lateral (select created_slot from dbc_pools where pool = l.pool limit 1) p
      where true ${upTo(`p.created_slot << ${SHIFT}`)}
    ), known as materialized (
      select base_mint, max(ordinal) as ordinal, count(side)::integer as trades, max(block_time) as last_trade_at,
        ${sql.literal(SUMS)}
      from (select * from traded union all select base_mint, ordinal, null, null, null, null from created) a
      group by base_mint
    ), page as (
      select k.* from known k
      where (select l.is_registered from launch_listings l where l.base_mint = k.base_mint limit 1) ${isAfter}
      order by k.ordinal desc, k.base_mint desc limit ${limit}
    )
    select (select count(*)::integer from traded) as counted_trades, (select count(*)::integer from created) as counted_launches,
      (select max(ordinal) from known) as head, ${sql.literal(KEPT_FROM)},
      k.base_mint as mint_address, k.ordinal, k.trades, k.last_trade_at, k.bought_base, k.bought_quote, k.sold_base,
      k.sold_quote, p.pool, p.config, p.pool_type, p.creator = ${wallet} as is_creator,
      coalesce(${wallet} in (p.creator, c.fee_claimer, c.leftover_receiver), p.creator = ${wallet}) as earns,
      coalesce(p.decimals, c.token_decimal, s.base_decimals) as decimals,
      case when p.quote_mint = ${NATIVE_MINT} then ${NATIVE_DECIMALS}::smallint else s.quote_decimals end as quote_decimals,
      coalesce(last.next_sqrt_price, s.start_sqrt_price) as sqrt_price, u.quote_usd, u.usd_as_of, u.usd_stale
    from (values (true)) one (row)
    left join page k on true
    left join lateral (
      select * from dbc_pools where base_mint = k.base_mint order by created_slot, pool limit 1
    ) p on true
    left join dbc_configs c on c.config = p.config
    left join launch_configs s on s.config_address = p.config
    left join lateral (
      select next_sqrt_price from trades where base_mint = k.base_mint order by ordinal desc, signature desc limit 1
    ) last on true
    left join lateral (${lastQuotePrice(sql)}) u on true
    order by k.ordinal desc, k.base_mint desc`)
}
