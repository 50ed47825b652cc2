import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { firstOrdinalOf, placeInTransaction, SLOT_SHIFT, slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { keyOf } from "../finality/ProveListing.ts"
import { changesOf, type DatabaseChanges } from "../modules/DatabaseChanges.ts"
import type { EventRow } from "../modules/FactRows.ts"
import { FACT_TABLES, type FactTable, type FactTexts, readFacts, textsOf } from "../sink/FactTables.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** A transaction by its key. */
export interface Keyed {
  readonly slot: bigint
  readonly signature: string
}

/** The same, as the chain has it. */
export interface OnChain extends Keyed {
  readonly onChain: RawTransaction
}

/** The events that are not of the program. */
const OF_AMM: ReadonlyArray<EventRow["type"]> = ["PositionFeeClaimed", "LiquidityChanged"]

/** Fields in one order, whichever side they are from. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return fields.map(([name, field]) => [name, canonical(field)])
}

/** The place in the block is not compared, because sources count differently; nor are times that the chain does not say. */
const comparable =
  (table: FactTable, isTimed: boolean) =>
  ({ blockTime, facts = null, ordinal, signature: _signature, ...row }: FactTexts): string =>
    JSON.stringify([
      ...[table, String(placeInTransaction(BigInt(ordinal!))), isTimed ? blockTime : null],
      ...[canonical(row), facts === null ? null : canonical(JSON.parse(facts))],
    ])

/** What a transaction of the chain derives. */
export const derivedOf = (onChain: RawTransaction): DatabaseChanges =>
  // Without a block time nothing would be derived.
  changesOf([{ ...onChain, blockTime: onChain.blockTime ?? 0, indexWithinBlock: undefined }])

const textsDerivedOf = (onChain: RawTransaction): Readonly<Record<FactTable, ReadonlyArray<FactTexts>>> => {
  const { claims, events, trades } = derivedOf(onChain)
  return {
    trades: trades.map((row) => textsOf("trades", row)),
    dbc_events: events.map((row) => textsOf("dbc_events", row)),
    fee_claims: claims.map((row) => textsOf("fee_claims", row)),
  }
}

const keyOfRow = ({ ordinal, signature }: FactTexts): string =>
  keyOf({ slot: slotOf(BigInt(ordinal!)), signature: signature! })

/** SQL of the facts that the tables have. */
export const storedFacts = (sql: SqlClient) => {
  const shift = sql.literal(String(SLOT_SHIFT))

  return {
    /** Those of them whose rows are not what they derive. */
    differing: Effect.fnUntraced(function* (transactions: ReadonlyArray<OnChain>) {
      const stored = new Map<FactTable, ReadonlyMap<string, ReadonlyArray<FactTexts>>>()
      for (const table of FACT_TABLES)
        stored.set(table, Map.groupBy(yield* readFacts(sql, table, transactions), keyOfRow))
      return transactions.filter((one) => {
        const isTimed = one.onChain.blockTime !== null
        const derived = textsDerivedOf(one.onChain)
        return FACT_TABLES.some((table) => {
          const textOf = (rows: ReadonlyArray<FactTexts>) => rows.map(comparable(table, isTimed)).toSorted().join("\n")
          return textOf(stored.get(table)!.get(keyOf(one)) ?? []) !== textOf(derived[table])
        })
      })
    }),

    /** Transactions that have rows in these slots, of the program or of a migrated pool, and are not in the log. */
    unlogged: (address: string, { fromSlot, toSlot }: SlotRange) => {
      const within = sql`ordinal >= ${firstOrdinalOf(fromSlot)} and ordinal < ${firstOrdinalOf(toSlot + 1n)}`
      const isOfPool = address !== DBC_PROGRAM
      const ofAddress = isOfPool ? sql`venue <> 'dbc' and pool = ${address}` : sql`venue = 'dbc'`
      const eventOfAddress = isOfPool
        ? sql`${sql.in("type", OF_AMM)} and pool = ${address}`
        : sql`not ${sql.in("type", OF_AMM)}`
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
