import { NATIVE_DECIMALS } from "@launch-registry/chain/pools/Pools"
import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ChainTrade } from "./TradeVerdict.ts"

/** A mint can have millions of trades; clients record theirs soon after it landed. */
const NEWEST_TRADES = 1_000

/** A transaction that may be indexed. */
export interface Wanted {
  readonly signature: string
  readonly baseMint: string
  readonly user: string
}

interface TradeRow extends Omit<ChainTrade, "baseAmount" | "isOfLaunch" | "quoteAmount"> {
  readonly signature: string
  readonly baseAmount: string
  readonly quoteAmount: string
}

interface SlotRow {
  readonly signature: string
  readonly slot: bigint
}

const distinct = (texts: ReadonlyArray<string>) => [...new Set(texts)]

const FACTS = `n.signature, n.pool, n.base_mint, n.quote_mint, n.trader, n.side, n.base_amount, n.quote_amount,
  u.base_decimals, case n.quote_mint when '${NATIVE_MINT}' then ${NATIVE_DECIMALS} else u.quote_decimals end as quote_decimals`

/** Decimals of the tokens of trades `n`, as far as the index and learnt configurations say. */
const UNITS = `left join lateral (
    select coalesce(p.decimals, c.token_decimal, k.base_decimals) as base_decimals, k.quote_decimals
    from dbc_pools p left join dbc_configs c on c.config = p.config left join launch_configs k on k.config_address = p.config
    where p.base_mint = n.base_mint order by 1 nulls last, 2 nulls last limit 1
  ) u on true`

const bySignature = (rows: ReadonlyArray<TradeRow>): ReadonlyMap<string, ReadonlyArray<ChainTrade>> =>
  Map.groupBy(
    rows.map(({ baseAmount, quoteAmount, ...row }) => ({
      ...{ ...row, baseAmount: BigInt(baseAmount), quoteAmount: BigInt(quoteAmount), isOfLaunch: true },
    })),
    ({ signature }) => signature,
  )

/** Statements about `trades` of the indexer. */
export const tradeStatements = (sql: SqlClient) => ({
  /** All trades of transactions in slots that are known. Each is looked up: the planner would rather read all trades and join them. */
  inSlots: (seen: ReadonlyArray<readonly [signature: string, slot: bigint]>) => sql<TradeRow>`
    select ${sql.literal(FACTS)}
    from unnest(${seen.map(([signature]) => signature)}::text[], ${seen.map(([, slot]) => String(slot))}::bigint[]) a (signature, slot)
    join lateral (
      select * from trades where ordinal >= a.slot << ${SLOT_SHIFT}::integer
        and ordinal < (a.slot + 1) << ${SLOT_SHIFT}::integer and signature = a.signature offset 0
    ) n on true ${sql.literal(UNITS)}
    order by n.ordinal`,

  /** Slots of transactions that are among the newest of these mints. Looks up each mint once. */
  newestOfMints: (wanted: ReadonlyArray<Wanted>) => sql<SlotRow>`
    select distinct n.signature, n.ordinal >> ${SLOT_SHIFT}::integer as slot
    from unnest(${distinct(wanted.map(({ baseMint }) => baseMint))}::text[]) m (mint) cross join lateral (
      select ordinal, signature from trades where base_mint = m.mint order by ordinal desc limit ${NEWEST_TRADES}::integer
    ) n
    where n.signature = any(${wanted.map(({ signature }) => signature)}::text[])`,

  /** The same of users. */
  newestOfUsers: (wanted: ReadonlyArray<Wanted>) => sql<SlotRow>`
    select distinct n.signature, n.ordinal >> ${SLOT_SHIFT}::integer as slot
    from unnest(${distinct(wanted.map(({ user }) => user))}::text[]) w (trader) cross join lateral (
      select ordinal, signature from trades where hashtextextended(trader, 0) = hashtextextended(w.trader, 0)
      order by ordinal desc limit ${NEWEST_TRADES}::integer
    ) n
    where n.signature = any(${wanted.map(({ signature }) => signature)}::text[])`,
})

/** What the index has of transactions, all trades of each, by signature. */
export const indexedTrades = (sql: SqlClient) => {
  const statements = tradeStatements(sql)

  const inSlots = (seen: ReadonlyArray<readonly [signature: string, slot: bigint]>) =>
    seen.length === 0 ? Effect.succeed(bySignature([])) : Effect.map(statements.inSlots(seen), bySignature)

  /** Of those that are among the newest of their mint or of their user. */
  const newest = Effect.fnUntraced(function* (wanted: ReadonlyArray<Wanted>) {
    if (wanted.length === 0) return bySignature([])
    const ofMints = yield* statements.newestOfMints(wanted)
    const known = new Set(ofMints.map(({ signature }) => signature))
    const others = wanted.filter(({ signature }) => !known.has(signature))
    const ofUsers = others.length === 0 ? [] : yield* statements.newestOfUsers(others)
    return yield* inSlots([...ofMints, ...ofUsers].map(({ signature, slot }) => [signature, BigInt(slot)]))
  })

  return { inSlots, newest }
}
