import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect, Random, Result } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Seen } from "./ChainStatuses.ts"
import { indexedTrades } from "./IndexedTrades.ts"
import { landedVerdict, readLanded } from "./LandedTransaction.ts"
import { type Judged, type TradeRecord, tradeRecords } from "./TradeRecords.ts"
import { type ChainTrade, tradeVerdict } from "./TradeVerdict.ts"

/** Transactions read from the chain each time, and at once: the index has those of honest clients. */
const [READS_MAX, READS_AT_ONCE] = [32, 4]

/** Compares records with trades on chain, and ends them by that. */
export const settleTrades = (sql: SqlClient) => {
  const records = tradeRecords(sql)
  const indexed = indexedTrades(sql)

  const judge = (found: ReadonlyArray<TradeRecord>, trades: ReadonlyMap<string, ReadonlyArray<ChainTrade>>) =>
    found.flatMap((record): ReadonlyArray<Judged> => {
      const ofRecord = trades.get(record.txHash)
      return ofRecord === undefined ? [] : [{ record, verdict: tradeVerdict(record, ofRecord) }]
    })

  /** Ends those that the index has in these slots; returns the others. */
  const byIndex = Effect.fnUntraced(function* (
    found: ReadonlyArray<TradeRecord>,
    slots: ReadonlyMap<string, bigint>,
    now: Date,
  ) {
    const seen = [...new Set(found.map(({ txHash }) => txHash))].map((hash) => [hash, slots.get(hash)!] as const)
    const judged = judge(found, yield* indexed.inSlots(seen))
    yield* records.end(judged, now)
    const ended = new Set(judged.flatMap(({ record, verdict }) => (verdict._tag === "Unknown" ? [] : [record])))
    return found.filter((record) => !ended.has(record))
  })

  const slotsOf = (seen: ReadonlyArray<Seen>) => new Map(seen.map(([hash, { slot }]) => [hash, slot]))

  return {
    /** Records of transactions that the index has just got, whatever their status. */
    followed: Effect.fnUntraced(function* (slots: ReadonlyMap<string, bigint>, now: Date) {
      const found = yield* records.of([...slots.keys()], "all")
      if (found.length > 0) yield* byIndex(found, slots, now)
    }),

    /** Open records of transactions that have landed: those of trades that are indexed. */
    landedInIndex: Effect.fnUntraced(function* (seen: ReadonlyArray<Seen>, now: Date) {
      const slots = slotsOf(seen)
      const found = yield* records.of([...slots.keys()], "open")
      return found.length === 0 ? [] : yield* byIndex(found, slots, now)
    }),

    /** The others, by what the chain answers of their transactions: some of them each time, by chance, so that none keeps the rest waiting. */
    landedOnChain: Effect.fnUntraced(function* (rpc: Rpc["Service"], rest: ReadonlyArray<TradeRecord>, now: Date) {
      if (rest.length === 0) return
      const byHash = Map.groupBy(rest, ({ txHash }) => txHash)
      const chosen = (yield* Random.shuffle([...byHash.keys()])).slice(0, READS_MAX)
      const judged = yield* Effect.forEach(
        chosen,
        (hash) =>
          Effect.map(Effect.result(readLanded(rpc, hash)), (read): ReadonlyArray<Judged> => {
            const answer = Result.isSuccess(read) ? read.success : undefined
            return answer === undefined
              ? []
              : byHash.get(hash)!.map((record) => ({ record, verdict: landedVerdict(answer, record) }))
          }),
        { concurrency: READS_AT_ONCE },
      )
      yield* records.end(judged.flat(), now)
    }),

    /** Open records whose trade is among the newest of their mint or user, of these hashes. */
    newest: Effect.fnUntraced(function* (hashes: ReadonlyArray<string>, now: Date) {
      const found = yield* records.of(hashes, "open")
      if (found.length === 0) return
      const wanted = found.map(({ baseToken, txHash, userAddress }) => ({
        ...{ signature: txHash, baseMint: baseToken, user: userAddress },
      }))
      yield* records.end(judge(found, yield* indexed.newest(wanted)), now)
    }),
  }
}
