import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { firstOrdinalOf, placeInTransaction, SLOT_SHIFT, slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { keyOf } from "../finality/ProveListing.ts"
import { changesOf, type DatabaseChanges } from "../modules/DatabaseChanges.ts"
import type { EventRow } from "../modules/FactRows.ts"
import { factsTextOf } from "../sink/PoolStatements.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"
import { bigintArray, textArray } from "../sql/ArrayParameter.ts"

/** A transaction by its key. */
export interface Keyed {
  readonly slot: bigint
  readonly signature: string
}

/** The same, as the chain has it. */
export interface OnChain extends Keyed {
  readonly onChain: RawTransaction
}

/** The one event that is not of the program. */
const OF_AMM: EventRow["type"] = "PositionFeeClaimed"

/** A row of a table of facts as text: its table, its place in its transaction, and everything else that it says. */
type Row = Readonly<Record<string, unknown>>

/** Fields in the same order, and numbers as text, whichever side they are from. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return fields.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([name, field]) => [name, canonical(field)])
}

const textOf = (rows: ReadonlyArray<Row>): string =>
  JSON.stringify(rows.map((row) => JSON.stringify(canonical(row))).toSorted())

/** The place in the block is not compared, because sources count differently; nor are times that the chain does not say. */
const comparable =
  (table: string, isTimed: boolean) =>
  ({ blockTime, ordinal, signature: _signature, ...row }: Row): Row => ({
    ...row,
    table,
    place: placeInTransaction(BigInt(ordinal as bigint)),
    time: isTimed ? String(blockTime) : null,
  })

const comparableOf = (
  { claims, events, trades }: Record<"claims" | "events" | "trades", ReadonlyArray<Row>>,
  isTimed: boolean,
): string =>
  textOf([
    ...trades.map(comparable("trades", isTimed)),
    ...events.map(comparable("dbc_events", isTimed)),
    ...claims.map(comparable("fee_claims", isTimed)),
  ])

/** What a transaction of the chain derives. */
export const derivedOf = (onChain: RawTransaction): DatabaseChanges =>
  // Without a block time nothing would be derived.
  changesOf([{ ...onChain, blockTime: onChain.blockTime ?? 0, indexWithinBlock: undefined }])

const rowsDerivedOf = (onChain: RawTransaction) => {
  const { claims, events, trades } = derivedOf(onChain)
  const facts = events.map((row) => ({ ...row, facts: JSON.parse(factsTextOf(row.facts)) as unknown }))
  return { trades: trades.map((row) => ({ ...row })), events: facts, claims: claims.map((row) => ({ ...row })) }
}

const keyOfRow = ({ ordinal, signature }: Row): string =>
  keyOf({ slot: slotOf(BigInt(ordinal as bigint)), signature: String(signature) })

/** SQL of the facts that the tables have. */
export const storedFacts = (sql: SqlClient) => {
  const shift = sql.literal(String(SLOT_SHIFT))
  const time = sql.literal("extract(epoch from block_time)::bigint as block_time")

  const wanted = (keys: ReadonlyArray<Keyed>) => sql`
    unnest(
      ${bigintArray(keys.map(({ slot }) => firstOrdinalOf(slot)))}::bigint[],
      ${bigintArray(keys.map(({ slot }) => firstOrdinalOf(slot + 1n)))}::bigint[],
      ${textArray(keys.map(({ signature }) => signature))}::text[]
    ) as d(first, beyond, wanted)`

  /** All rows of these transactions. */
  const rowsOf = Effect.fnUntraced(function* (keys: ReadonlyArray<Keyed>) {
    const trades = yield* sql<Row>`
      select ordinal, signature, venue, pool, base_mint, quote_mint, trader, side, base_amount::text as base_amount,
        quote_amount::text as quote_amount, fee::text as fee, next_sqrt_price::text as next_sqrt_price,
        quote_reserve::text as quote_reserve, ${time}
      from ${wanted(keys)} cross join lateral (
        select * from trades where ordinal >= d.first and ordinal < d.beyond and signature = d.wanted offset 0
      ) f`
    const events = yield* sql<Row>`
      select ordinal, signature, type, pool, config, facts::text as facts, ${time}
      from ${wanted(keys)} cross join lateral (
        select * from dbc_events where ordinal >= d.first and ordinal < d.beyond and signature = d.wanted offset 0
      ) f`
    const claims = yield* sql<Row>`
      select ordinal, signature, kind, party, venue, pool, wallet, base_mint, quote_mint, position,
        base_amount::text as base_amount, quote_amount::text as quote_amount, ${time}
      from ${wanted(keys)} cross join lateral (
        select * from fee_claims where ordinal >= d.first and ordinal < d.beyond and signature = d.wanted offset 0
      ) f`
    return {
      trades,
      events: events.map((row) => ({ ...row, facts: JSON.parse(String(row.facts)) as unknown })),
      claims,
    }
  })

  return {
    rowsOf,

    /** Those of them whose rows are not what they derive. */
    differing: Effect.fnUntraced(function* (transactions: ReadonlyArray<OnChain>) {
      const stored = yield* rowsOf(transactions)
      const [trades, events, claims] = [stored.trades, stored.events, stored.claims].map((rows) =>
        Map.groupBy(rows, keyOfRow),
      )
      return transactions.filter((one) => {
        const isTimed = one.onChain.blockTime !== null
        const of = (rows: ReadonlyMap<string, ReadonlyArray<Row>> | undefined) => rows?.get(keyOf(one)) ?? []
        const inTables = { trades: of(trades), events: of(events), claims: of(claims) }
        return comparableOf(inTables, isTimed) !== comparableOf(rowsDerivedOf(one.onChain), isTimed)
      })
    }),

    /** Transactions that have rows in these slots, of the program or of a migrated pool, and are not in the log. */
    unlogged: (address: string, { fromSlot, toSlot }: SlotRange) => {
      const within = sql`ordinal >= ${firstOrdinalOf(fromSlot)} and ordinal < ${firstOrdinalOf(toSlot + 1n)}`
      const isOfPool = address !== DBC_PROGRAM
      const ofAddress = isOfPool ? sql`venue <> 'dbc' and pool = ${address}` : sql`venue = 'dbc'`
      const eventOfAddress = isOfPool ? sql`type = ${OF_AMM} and pool = ${address}` : sql`type <> ${OF_AMM}`
      return sql<Keyed>`
        select distinct f.ordinal >> ${shift} as slot, f.signature from (
          select ordinal, signature from trades where ${within} and ${ofAddress}
          union select ordinal, signature from fee_claims where ${within} and ${ofAddress}
          union select ordinal, signature from dbc_events where ${within} and ${eventOfAddress}
        ) f
        where not exists (
          select from inbox_transactions t where t.slot = f.ordinal >> ${shift} and t.signature = f.signature)`
    },
  }
}
