import { notifying } from "@launch-registry/postgres/CommitNotices"
import type { LiquidityChanged } from "@launch-registry/chain/transactions/DbcEvent"
import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { encodeChanges } from "@launch-registry/domain/stream/CommittedChanges"
import type { SqlClient } from "effect/sql/SqlClient"
import type { EventRow, TradeRow } from "../modules/FactRows.ts"
import { slotOf } from "@launch-registry/domain/solana/Ordinal"
import type { LogEntry } from "../inbox/IngestLog.ts"
import type { MigratedTokens, RevertedEvent } from "./PoolStatements.ts"

/** Older trades and changes of liquidity are history: followers read them from the tables and get no event for each. */
const LIVE_SECONDS = 300

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** The change emitted for an event; most are claims, which emit none. */
const changeOf = (
  { blockTime, facts, ordinal, signature }: EventRow,
  baseMint: string | null,
): ChainChange | undefined => {
  const at = { slot: String(slotOf(ordinal)), signature, time: timeOf(blockTime) }
  switch (facts.type) {
    case "PoolCreated": {
      const { baseMint: mint, config, creator, name, pool, quoteMint, symbol, uri } = facts
      return { type: "token", ...at, mintAddress: mint, quoteMint, pool, config, creator, name, symbol, uri }
    }
    case "PoolCreatorChanged":
      return { type: "creator", ...at, pool: facts.pool, mintAddress: baseMint, creator: facts.newCreator }
    case "CurveComplete":
      return {
        type: "graduation",
        ...at,
        pool: facts.pool,
        stage: "completed",
        mintAddress: baseMint,
        migratedPool: null,
      }
    case "PoolMigrated": {
      const { migratedPool, pool } = facts
      return { type: "graduation", ...at, pool, stage: "migrated", mintAddress: baseMint, migratedPool }
    }
    default:
      return undefined
  }
}

/** Emitted for events: launches, graduations and new creators, however old. */
export const changesOfEvents = (
  rows: ReadonlyArray<EventRow>,
  baseMintOf: ReadonlyMap<string, string>,
): ReadonlyArray<ChainChange> => rows.flatMap((row) => changeOf(row, baseMintOf.get(row.pool ?? "") ?? null) ?? [])

const tradeOf = (row: TradeRow): ChainChange => ({
  type: "trade",
  slot: String(slotOf(row.ordinal)),
  signature: row.signature,
  time: timeOf(row.blockTime),
  mintAddress: row.baseMint,
  quoteMint: row.quoteMint,
  pool: row.pool,
  venue: row.venue,
  trader: row.trader,
  side: row.side,
  baseAmount: String(row.baseAmount),
  quoteAmount: String(row.quoteAmount),
  fee: String(row.fee),
  sqrtPrice: String(row.nextSqrtPrice),
  quoteReserve: reserveAfter(row),
})

const reserveAfter = ({ quoteReserve }: TradeRow): string | null => textOf(quoteReserve)

const poolAfter = (row: TradeRow): ChainChange => ({
  type: "pool",
  slot: String(slotOf(row.ordinal)),
  mintAddress: row.baseMint,
  pool: row.pool,
  venue: row.venue,
  sqrtPrice: String(row.nextSqrtPrice),
  quoteReserve: reserveAfter(row),
})

/** Emitted for trades: those of the last minutes, and the state of each pool after them. */
export const changesOfTrades = (rows: ReadonlyArray<TradeRow>, nowSeconds: number): ReadonlyArray<ChainChange> => {
  const live = rows.filter(({ blockTime }) => nowSeconds - blockTime <= LIVE_SECONDS)
  const latest = new Map<string, TradeRow>()
  for (const row of live) {
    const known = latest.get(row.pool)
    if (known === undefined || row.ordinal > known.ordinal) latest.set(row.pool, row)
  }
  return [...live.map(tradeOf), ...[...latest.values()].map(poolAfter)]
}

/** A change of liquidity, with the tokens that its call may not name. */
interface LiquidityRow extends Omit<EventRow, "facts"> {
  readonly facts: LiquidityChanged
}

/** Changes of liquidity of the last minutes: nothing follows older ones. */
export const liveLiquidity = (rows: ReadonlyArray<EventRow>, nowSeconds: number): ReadonlyArray<LiquidityRow> =>
  rows.flatMap((row) => {
    const { facts } = row
    return facts.type === "LiquidityChanged" && nowSeconds - row.blockTime <= LIVE_SECONDS ? [{ ...row, facts }] : []
  })

/** Emitted for changes of liquidity of pools that curves migrated to; `tokensOf` has those of pools whose calls name none. */
export const changesOfLiquidity = (
  rows: ReadonlyArray<LiquidityRow>,
  tokensOf: ReadonlyMap<string, MigratedTokens>,
): ReadonlyArray<ChainChange> =>
  rows.flatMap(({ blockTime, facts, ordinal, signature }) => {
    const { change, owner, pool, position, toOwner, toPosition } = facts
    const mintAddress = facts.baseMint ?? tokensOf.get(pool)?.baseMint
    const quoteMint = facts.quoteMint ?? tokensOf.get(pool)?.quoteMint
    if (mintAddress === undefined || quoteMint === undefined) return []
    return {
      ...{ type: "liquidity", slot: String(slotOf(ordinal)), signature, time: timeOf(blockTime) },
      ...{ mintAddress, quoteMint, pool, change, owner, position, toOwner, toPosition },
      baseAmount: textOf(facts.baseAmount),
      quoteAmount: textOf(facts.quoteAmount),
      liquidity: String(facts.liquidity),
      lockedUntil: textOf(facts.lockedUntil),
    }
  })

const textOf = (amount: bigint | null): string | null => (amount === null ? null : String(amount))

/** Emitted for reverted transactions. */
export const changesOfReverted = (
  entries: ReadonlyArray<LogEntry>,
  events: ReadonlyArray<RevertedEvent>,
): ReadonlyArray<ChainChange> =>
  entries.map(({ signature, slot }) => {
    const of = events.filter((event) => event.signature === signature)
    const mintAddresses = of.flatMap(({ baseMint, type }) => (type === "PoolCreated" ? (baseMint ?? []) : []))
    const poolsOf = (event: EventRow["type"]) => of.flatMap(({ pool, type }) => (type === event ? (pool ?? []) : []))
    const pools = poolsOf("PoolMigrated")
    const creatorPools = poolsOf("PoolCreatorChanged")
    return { type: "revert", slot: String(slot), signature, mintAddresses, pools, creatorPools }
  })

/**
 * The id after that of the newest row `l`, or `step` after it. The server that wrote that row may have committed more that this one lacks: a
 * standby that was promoted, a restored backup. So the first id on another server is the time, in hundredths of a millisecond: no history
 * has an id twice, as no index commits that often. A server that was restarted counts as another one.
 */
const nextId = (step: number) => `
  case when coalesce(l.server_started_at, pg_postmaster_start_time()) = pg_postmaster_start_time()
    then coalesce(l.id, 0) + ${step}
    else greatest(l.id + 1000000, (extract(epoch from clock_timestamp()) * 100000)::bigint) end`

/** SQL of `index_changes`. One leader writes at a time; each row names the one before it. */
export const changeStatements = (sql: SqlClient) => ({
  append: (changes: ReadonlyArray<ChainChange>, now: Date) => sql`
    insert into index_changes (id, changes, committed_at, after_id, server_started_at)
    select ${sql.literal(nextId(1))}, ${encodeChanges(changes)}::text, ${now}, coalesce(l.id, 0), pg_postmaster_start_time()
    from (select) one left join (select * from index_changes order by id desc limit 1) l on true
    returning ${notifying(sql, "changes")}`,

  /** Names no row before it, and leaves a gap in the ids: followers start over from the tables. */
  skip: (now: Date) => sql`
    insert into index_changes (id, changes, committed_at, server_started_at)
    select ${sql.literal(nextId(2))}, ${encodeChanges([])}::text, ${now}, pg_postmaster_start_time()
    from (select) one left join (select * from index_changes order by id desc limit 1) l on true
    returning ${notifying(sql, "changes")}`,

  /** Deletes all but the newest. */
  forgetEarlier: sql`delete from index_changes where id < (select max(id) from index_changes)`,

  /** Deletes what was committed before `before`; the newest stays, so that ids are never reused. */
  prune: (before: Date) => sql`
    delete from index_changes where committed_at < ${before} and id < (select max(id) from index_changes)`,
})
