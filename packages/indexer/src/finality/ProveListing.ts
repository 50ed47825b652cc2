import { Array as Arr, Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { IngestLog } from "../inbox/IngestLog.ts"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import type { LogEntry } from "../sink/InboxStatements.ts"
import { ChainHistory, HistoryIncomplete, type Listed, type Listing } from "../sources/ChainHistory.ts"
import type { Covered } from "./CoverageStatements.ts"
import { ALTERED, FAILED, FETCH_AT_ONCE, type Foreign, hasLanded, type Judged, judgement } from "./Judgement.ts"

/** Entries that are in no listing of an address. */
export interface Unlisted {
  /** To be judged by the transactions themselves. */
  readonly closely: ReadonlyArray<LogEntry>
  /** To be judged by the outcomes of their signatures: they have no facts. */
  readonly loosely: ReadonlyArray<LogEntry>
}

/** What is proven: that the log has the transactions of an address, and no others that claim to be of it. */
export interface Subject {
  readonly address: string
  readonly foreign: Foreign
  /** What the log holds of a listing's slots that concerns the address, and of what is listed. */
  readonly entries: (listing: Listing) => Effect.Effect<ReadonlyArray<LogEntry>, SqlError>
  /** How to judge entries that are not listed; those that others answer for are left out. */
  readonly unlisted: (entries: ReadonlyArray<LogEntry>) => Effect.Effect<Unlisted, HistoryIncomplete | SqlError>
  /** Adds a range that was not covered before. Within a transaction. */
  readonly cover: (covered: Covered, now: Date) => Effect.Effect<unknown, SqlError>
}

type ListedByKey = ReadonlyMap<string, Listed>

/** Retries for when a constantly delivering forger is faster than the chain's version. */
const REPLACE_TRIES = 5

const isAltered = ({ verdict }: Judged): boolean => verdict === ALTERED

const newestOf = (entries: ReadonlyArray<LogEntry>): bigint =>
  entries.reduce((newest, { logOffset }) => (logOffset > newest ? logOffset : newest), 0n)

/** What tells a transaction of the log, or of the chain, from others. */
export const keyOf = ({ signature, slot }: Pick<LogEntry, "signature" | "slot">): string => `${slot} ${signature}`

/** Those that the log lacks. */
const missingIn = (known: ReadonlyArray<LogEntry>, wanted: ReadonlyArray<Listed>): ReadonlyArray<Listed> => {
  const keys = new Set(known.map(keyOf))
  return wanted.filter((one) => !keys.has(keyOf(one)))
}

/**
 * Compares the log with a listing: missing transactions are fetched and appended, transactions that the chain does not know
 * are reverted, and only then are the slots covered. Where the listing comes with whole transactions, deliveries with other
 * contents are replaced.
 */
export const listingProof = Effect.gen(function* () {
  const sql = yield* SqlClient
  const history = yield* ChainHistory
  const log = yield* IngestLog
  const lease = leaseStatements(sql)
  const { alteredOf, append, dropWrong, judge, judgeClosely } = yield* judgement

  const fetchMissing = Effect.fnUntraced(function* (missing: ReadonlyArray<Listed>) {
    for (const page of Arr.chunksOf(missing, FETCH_AT_ONCE)) yield* append(yield* history.transactions(page))
  })

  /** Those whose contents are not the chain's where the listing has them; otherwise those that failed. */
  const judgeListed = Effect.fnUntraced(function* (entries: ReadonlyArray<LogEntry>, listed: ListedByKey) {
    const compared = entries.flatMap((entry) => {
      const onChain = listed.get(keyOf(entry))?.transaction
      return onChain === undefined ? [] : [{ entry, onChain }]
    })
    const altered = new Set(yield* alteredOf(compared))
    return entries.flatMap((entry): ReadonlyArray<Judged> => {
      const { hasFailed = false, transaction } = listed.get(keyOf(entry)) ?? {}
      const isWrong = transaction === undefined ? hasFailed : altered.has(entry)
      return isWrong ? [{ entry, verdict: hasFailed ? FAILED : ALTERED }] : []
    })
  })

  /** Fetches the listed transactions that the log lacks; returns how many had to be reverted for it. */
  const complete = Effect.fnUntraced(function* (
    subject: Subject,
    listing: Listing,
    known: ReadonlyArray<LogEntry>,
    wanted: ReadonlyArray<Listed>,
    listed: ListedByKey,
    fence: Fence,
  ) {
    let dropped = 0
    let newest = newestOf(known)
    let fetched = wanted
    for (let time = 0; fetched.length > 0; time++) {
      yield* fetchMissing(fetched)
      const held = yield* subject.entries(listing)
      if (missingIn(held, wanted).length > 0)
        return yield* new HistoryIncomplete({ reason: "the fetched transactions are not the listed ones" })
      // A delivery that arrived first took the place of the fetched transaction.
      const since = held.filter(({ logOffset }) => logOffset > newest)
      const altered = (yield* judgeListed(since, listed)).filter(isAltered)
      if (altered.length > 0 && time === REPLACE_TRIES)
        return yield* new HistoryIncomplete({
          reason: "fetched transactions were delivered with other contents meanwhile",
        })
      dropped += yield* dropWrong(altered, fence)
      fetched = altered.map(({ entry }) => listed.get(keyOf(entry))!)
      newest = newestOf(held)
    }
    return dropped
  })

  return Effect.fnUntraced(function* (subject: Subject, listing: Listing, fence: Fence) {
    const { fromSlot, toSlot } = listing
    const known = yield* subject.entries(listing)
    const listed: ListedByKey = new Map(listing.listed.map((one) => [keyOf(one), one]))
    const { closely, loosely } = yield* subject.unlisted(known.filter((entry) => !listed.has(keyOf(entry))))
    const unlisted = yield* judgeClosely(closely, toSlot, subject.address, subject.foreign)
    if (unlisted.some(hasLanded))
      return yield* new HistoryIncomplete({ reason: "transactions on the chain are missing from its listing" })
    const unfounded = yield* judge(loosely, toSlot)
    const judged = yield* judgeListed(known, listed)
    const altered = judged.filter(isAltered)
    const landed = listing.listed.filter(({ hasFailed }) => !hasFailed)
    const missing = missingIn(known, landed)
    // Before fetching: while they are in the log, the chain's version counts as a redelivery.
    const replaced = yield* dropWrong(altered, fence)
    const replacements = altered.map(({ entry }) => listed.get(keyOf(entry))!)
    const raced = yield* complete(subject, listing, known, [...missing, ...replacements], listed, fence)
    const failed = judged.filter((one) => !isAltered(one))
    const dropped = replaced + raced + (yield* dropWrong([...unlisted, ...unfounded, ...failed], fence))
    const logOffset = yield* log.head
    yield* Effect.gen(function* () {
      yield* lease.hold(fence)
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* subject.cover({ fromSlot, toSlot, provenBy: history.name, logOffset }, now)
    }).pipe(sql.withTransaction)
    return { missing: missing.length, dropped, range: { fromSlot, toSlot } }
  })
})
