import { ADDRESS_FIELDS, type DbcEvent } from "@launch-registry/chain/transactions/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import type { DecodableTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import {
  type ClaimRow,
  claimsOfEvents,
  type EventRow,
  poolEventsOf,
  type TradeRow,
  tradesOfEvents,
} from "./FactRows.ts"
import { TIME_MAX } from "@launch-registry/domain/solana/BlockTime"
import { ordinalOf, placeWithoutIndex } from "@launch-registry/domain/solana/Ordinal"

/** A transaction that could not be decoded, by its index in the batch. */
export interface Undecodable {
  readonly index: number
  readonly reason: string
}

/** Rows of the tables of facts. */
export interface Facts {
  readonly trades: ReadonlyArray<TradeRow>
  readonly events: ReadonlyArray<EventRow>
  readonly claims: ReadonlyArray<ClaimRow>
}

/** What transactions change, written by the sink. */
export interface DatabaseChanges extends Facts {
  readonly undecodable: ReadonlyArray<Undecodable>
}

interface Decoded {
  readonly events: ReadonlyArray<DbcEvent>
  readonly undecodable: ReadonlyArray<Undecodable>
}

/** `map_dbc_events` of `ModuleHash`. */
export const decodedEvents = (transactions: Iterable<DecodableTransaction>, from = 0): Decoded => {
  const events: Array<DbcEvent> = []
  const undecodable: Array<Undecodable> = []
  let index = from - 1
  for (const transaction of transactions) {
    index++
    // Received transactions are checked for slot and signature only: one of another shape fails here, without affecting
    // the others.
    try {
      for (const event of eventsOf(transaction)) events.push(event)
    } catch (error) {
      undecodable.push({ index, reason: error instanceof Error ? error.message : "unknown" })
    }
  }
  return { events, undecodable }
}

const eventsOf = (transaction: DecodableTransaction): ReadonlyArray<DbcEvent> => {
  const { accountKeys, instructions } = transaction.transaction.message
  if (!Array.isArray(accountKeys) || !Array.isArray(instructions)) throw new TypeError("no accounts or instructions")
  if (transaction.meta.err === undefined) throw new TypeError("no outcome")
  const { blockTime, indexWithinBlock = placeWithoutIndex(transaction.transaction.signatures[0]!) } = transaction
  const decoded = decodeTransaction(transaction, indexWithinBlock)
  if (decoded.length === 0) return decoded
  if (!Number.isInteger(blockTime) || blockTime! < 0 || blockTime! > SECONDS_MAX) throw new TypeError("no block time")
  for (const event of decoded) {
    ordinalOf(event.at)
    assertAddresses(event)
  }
  return decoded
}

const SECONDS_MAX = Number(TIME_MAX)

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Accounts are unchecked until here; an invalid address must not reach a table. */
const assertAddresses = (event: DbcEvent): void => {
  for (const field of ADDRESS_FIELDS[event.type]) {
    const value: unknown = event[field as keyof DbcEvent]
    if (value === null) continue
    if (typeof value !== "string" || !ADDRESS.test(value)) throw new TypeError(`${field} is no address`)
  }
}

/**
 * What transactions change; `from` is the index of the first. Pure, and their order says nothing: every transaction knows its place in the
 * chain. They are read one after the other, so that none needs to be kept.
 */
export const changesOf = (transactions: Iterable<DecodableTransaction>, from = 0): DatabaseChanges => {
  const { events, undecodable } = decodedEvents(transactions, from)
  return { trades: tradesOfEvents(events), events: poolEventsOf(events), claims: claimsOfEvents(events), undecodable }
}

/** The changes of several parts. */
export const joinedChanges = (parts: ReadonlyArray<DatabaseChanges>): DatabaseChanges => ({
  trades: parts.flatMap(({ trades }) => trades),
  events: parts.flatMap(({ events }) => events),
  claims: parts.flatMap(({ claims }) => claims),
  undecodable: parts.flatMap(({ undecodable }) => undecodable),
})
