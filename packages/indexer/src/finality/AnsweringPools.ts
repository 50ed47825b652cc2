import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import type { DecodableTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { involves } from "./Judgement.ts"
import type { Unlisted } from "./Subject.ts"
import { reconcileStatements } from "./ReconcileStatements.ts"
import type { BodyElement } from "../inbox/ReadBody.ts"
import { segmentElements } from "../inbox/Segment.ts"
import { changesOf } from "../modules/DatabaseChanges.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"
import { bigintArray, textArray } from "../sql/ArrayParameter.ts"
import { followedPools } from "../pools/FollowedPools.ts"

/** Decoding blocks the event loop: this many take some milliseconds. */
const SLICE_TRANSACTIONS = 64

/** What a delivered transaction says it is. */
interface Claim {
  readonly entry: LogEntry
  /** It calls the program, has facts of it, or cannot be read. */
  readonly isOfProgram: boolean
  /** AMM pools of its trades. */
  readonly pools: ReadonlyArray<string>
}

const claimOf = (entry: LogEntry, element: BodyElement | undefined): Claim => {
  try {
    const transaction = element!.value as DecodableTransaction
    const { events, trades, undecodable } = changesOf([transaction])
    const isOfProgram =
      events.length + undecodable.length > 0 ||
      trades.some(({ venue }) => venue === "dbc") ||
      involves(transaction, DBC_PROGRAM)
    return { entry, isOfProgram, pools: trades.flatMap(({ pool, venue }) => (venue === "dbc" ? [] : [pool])) }
  } catch {
    return { entry, isOfProgram: true, pools: [] }
  }
}

/**
 * Which entries of the log the program's listing has to have. Trades on a followed pool are proven by that pool: whether they are on the
 * chain, and whether they are as they were delivered, follows from its listing, so nothing is asked about each of them here.
 */
export const answeringPools = (sql: SqlClient) => {
  const { segmentsOf } = reconcileStatements(sql)
  const followed = followedPools(sql)

  /** All but folded entries whose facts are trades on followed pools. */
  const unanswered = (entries: ReadonlyArray<LogEntry>) =>
    Effect.map(
      sql<{ readonly position: number }>`
        select e.number - 1 as position
        from unnest(
          ${bigintArray(entries.map(({ logOffset }) => logOffset))}::bigint[],
          ${bigintArray(entries.map(({ slot }) => slot))}::bigint[],
          ${textArray(entries.map(({ signature }) => signature))}::text[],
          ${bigintArray(entries.map(({ slot }) => firstOrdinalOf(slot)))}::bigint[],
          ${bigintArray(entries.map(({ slot }) => firstOrdinalOf(slot + 1n) - 1n))}::bigint[]
        ) with ordinality as e(log_offset, slot, signature, first, last, number)
        where e.log_offset > (select log_offset from indexer_progress)
          or not exists (
            select from trades t join followed_pools f on f.pool = t.pool and f.from_slot <= e.slot and f.venue is not null
            where t.ordinal between e.first and e.last and t.signature = e.signature and t.venue <> 'dbc')
          or exists (
            select from trades t
            where t.ordinal between e.first and e.last and t.signature = e.signature and t.venue = 'dbc')
          or exists (select from dbc_events v where v.ordinal between e.first and e.last and v.signature = e.signature)
        order by number`,
      (rows) => rows.map(({ position }) => entries[Number(position)]!),
    )

  /** What entries say they are, by the log. */
  const claimsOf = Effect.fnUntraced(function* (entries: ReadonlyArray<LogEntry>) {
    const bySegment = Map.groupBy(entries, ({ logOffset }) => logOffset)
    const claims: Array<Claim> = []
    let offsets = [...bySegment.keys()]
    while (offsets.length > 0) {
      const segments = yield* segmentsOf(offsets, "from any source")
      for (const segment of segments) {
        const elements = yield* segmentElements(segment.bytes)
        for (const entry of bySegment.get(segment.logOffset)!) {
          claims.push(claimOf(entry, elements[entry.position]))
          if (claims.length % SLICE_TRANSACTIONS === 0) yield* Effect.yieldNow
        }
      }
      const last = segments.at(-1)?.logOffset
      offsets = last === undefined ? [] : offsets.filter((logOffset) => logOffset > last)
    }
    return claims
  })

  /** How the program's proof judges entries that its listing lacks. */
  return Effect.fnUntraced(function* (entries: ReadonlyArray<LogEntry>) {
    if (entries.length === 0) return { closely: [], loosely: [] } satisfies Unlisted
    const claims = yield* claimsOf(yield* unanswered(entries))
    const fromSlots = yield* followed.among([...new Set(claims.flatMap(({ pools }) => pools))])
    const isAnswered = ({ entry, isOfProgram, pools }: Claim) =>
      !isOfProgram && pools.some((pool) => (fromSlots.get(pool) ?? entry.slot + 1n) <= entry.slot)
    const open = claims.filter((claim) => !isAnswered(claim))
    const concerns = ({ isOfProgram, pools }: Claim) => isOfProgram || pools.length > 0
    return {
      closely: open.filter(concerns).map(({ entry }) => entry),
      loosely: open.filter((claim) => !concerns(claim)).map(({ entry }) => entry),
    } satisfies Unlisted
  })
}
