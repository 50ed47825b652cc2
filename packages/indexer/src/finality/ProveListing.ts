import { Array as Arr, Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IngestLog, type LogEntry } from "../inbox/IngestLog.ts"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { ChainHistory, HistoryIncomplete, type Listed, type Listing, type Unfetched } from "../sources/ChainHistory.ts"
import { gapsOf, type SlotRange } from "../sources/SlotRanges.ts"
import { ALTERED, FAILED, FETCH_AT_ONCE, hasLanded, type Judged, judgement } from "./Judgement.ts"
import type { Subject } from "./Subject.ts"
import type { UnreadSlot } from "./UnreadSlots.ts"

/** What came of a listing. */
export interface ProvenListing {
  readonly range: SlotRange
  readonly missing: number
  readonly dropped: number
  /** All its slots but those of transactions that neither a source nor the log has whole. */
  readonly proven: ReadonlyArray<SlotRange>
  /** Why these are not proven. */
  readonly unread: ReadonlyArray<UnreadSlot>
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
 * contents are replaced; otherwise those whose contents are incomplete. Slots of a transaction that neither a source nor the log has
 * whole stay uncovered.
 */
export const listingProof = Effect.gen(function* () {
  const sql = yield* SqlClient
  const history = yield* ChainHistory
  const log = yield* IngestLog
  const lease = leaseStatements(sql)
  const { alteredOf, append, dropWrong, incompleteOf, judge, judgeClosely } = yield* judgement

  /** Returns those that no source has whole, and why. */
  const fetchMissing = Effect.fnUntraced(function* (missing: ReadonlyArray<Listed>) {
    const problems = new Map<string, Unfetched>()
    for (const page of Arr.chunksOf(missing, FETCH_AT_ONCE)) {
      const { transactions, unfetched } = yield* history.transactions(page)
      if (transactions.length > 0) yield* append(transactions)
      for (const one of unfetched) problems.set(one.signature, one)
    }
    return problems
  })

  /**
   * The listing with the chain's versions of those entries whose contents are incomplete, where it came without transactions. What no
   * source gives is no problem where the log has it whole.
   */
  const withVersions = Effect.fnUntraced(function* (known: ReadonlyArray<LogEntry>, listed: ListedByKey) {
    const unsure = known.filter((entry) => {
      const one = listed.get(keyOf(entry))
      return one !== undefined && !one.hasFailed && one.transaction === undefined && one.problem?.isAsked !== false
    })
    const incomplete = new Set(yield* incompleteOf(unsure))
    const versions = new Map(listed)
    const wanted: Array<Listed> = []
    for (const entry of unsure) {
      const { problem, ...one } = listed.get(keyOf(entry))!
      if (!incomplete.has(entry)) versions.set(keyOf(entry), one)
      else if (problem === undefined) wanted.push(one)
    }
    for (const page of Arr.chunksOf(wanted, FETCH_AT_ONCE)) {
      const { transactions, unfetched } = yield* history.transactions(page)
      const found = new Map(transactions.map((one) => [one.transaction.signatures[0]!, one]))
      const problems = new Map(unfetched.map((one) => [one.signature, one]))
      for (const one of page) {
        const transaction = found.get(one.signature)
        const version = transaction ? { transaction } : { problem: problems.get(one.signature)! }
        versions.set(keyOf(one), { ...one, ...version })
      }
    }
    return versions
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
    const problems = new Map<string, Unfetched>()
    for (let time = 0; fetched.length > 0; time++) {
      for (const [signature, problem] of yield* fetchMissing(fetched)) problems.set(signature, problem)
      const held = yield* subject.entries(listing)
      if (missingIn(held, wanted).some(({ signature }) => !problems.has(signature)))
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
    return { dropped, problems }
  })

  return Effect.fnUntraced(function* (subject: Subject, listing: Listing, fence: Fence) {
    const { fromSlot, toSlot } = listing
    const known = yield* subject.entries(listing)
    const listed = yield* withVersions(known, new Map(listing.listed.map((one) => [keyOf(one), one])))
    const { closely, loosely } = yield* subject.unlisted(known.filter((entry) => !listed.has(keyOf(entry))))
    const unlisted = yield* judgeClosely(closely, toSlot, subject)
    if (unlisted.some((one) => hasLanded(one) && one.problem === undefined))
      return yield* new HistoryIncomplete({ reason: "transactions on the chain are missing from its listing" })
    const unfounded = yield* judge(loosely, toSlot)
    const judged = yield* judgeListed(known, listed)
    const altered = judged.filter(isAltered)
    const landed = [...listed.values()].filter(({ hasFailed, problem }) => !hasFailed && problem === undefined)
    const missing = missingIn(known, landed)
    // Before fetching: while they are in the log, the chain's version counts as a redelivery.
    const replaced = yield* dropWrong(altered, fence)
    const replacements = altered.map(({ entry }) => listed.get(keyOf(entry))!)
    const raced = yield* complete(subject, listing, known, [...missing, ...replacements], listed, fence)
    const failed = judged.filter((one) => !isAltered(one))
    const dropped = replaced + raced.dropped + (yield* dropWrong([...unlisted, ...unfounded, ...failed], fence))
    const logOffset = yield* log.head
    const unread = [
      ...[...listed.values()].map(({ problem, signature, slot }) => ({
        slot,
        problem: problem ?? raced.problems.get(signature),
      })),
      ...unlisted.map(({ entry, problem }) => ({ slot: entry.slot, problem })),
    ].flatMap(({ problem, slot }) => (problem === undefined ? [] : [{ slot, problem }]))
    const proven = gapsOf(
      unread.map(({ slot }) => ({ fromSlot: slot, toSlot: slot })),
      { fromSlot, toSlot },
    )
    yield* Effect.gen(function* () {
      yield* lease.hold(fence)
      const now = new Date(yield* Clock.currentTimeMillis)
      for (const range of proven) yield* subject.coverage.add({ ...range, provenBy: history.name, logOffset }, now)
    }).pipe(sql.withTransaction)
    return { range: { fromSlot, toSlot }, missing: missing.length, dropped, proven, unread } satisfies ProvenListing
  })
})
