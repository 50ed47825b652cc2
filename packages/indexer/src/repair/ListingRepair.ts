import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ALTERED, FETCH_AT_ONCE, judgement } from "../finality/Judgement.ts"
import { keyOf, listingProof } from "../finality/ProveListing.ts"
import type { Subject } from "../finality/Subject.ts"
import { IngestLog, type LogEntry } from "../inbox/IngestLog.ts"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { Sink } from "../sink/Sink.ts"
import { ChainHistory, HistoryIncomplete, type Listed, type Listing, problemOf } from "../sources/ChainHistory.ts"
import { RequestCount } from "../sources/RequestCount.ts"
import { gapsOf, type SlotRange } from "../sources/SlotRanges.ts"
import { derivedOf, type OnChain, storedFacts } from "./StoredFacts.ts"

/** What came of reading slots again. */
export interface Repaired {
  /** Transactions of the chain that were read. */
  readonly read: number
  /** Those that the log lacked. */
  readonly missing: number
  /** Those whose contents in the log, or whose rows in the tables, were not the chain's. */
  readonly replaced: number
  /** Transactions in the log, or in the tables, that the chain does not have there. */
  readonly reverted: number
  /** Those that no source has whole. Their slots are not proven any more, so rounds ask for them again. */
  readonly unread: number
  /** Which is one of them, and why; null without any. */
  readonly problem: string | null
}

export const NOTHING_REPAIRED: Repaired = { read: 0, missing: 0, replaced: 0, reverted: 0, unread: 0, problem: null }

/** Told what was found as soon as it is repaired: a page may fail after that. */
export type OnRepaired<E> = (found: Partial<Repaired>) => Effect.Effect<void, E>

/** What was replaced is read once more, so that nothing counts as repaired that is not. */
const REPLACE_TRIES = 3
/** Where more in a row are not given, the endpoints are at fault: slots that are proven stay so. */
const REFUSED_MAX = 10
const FOLDED_MILLIS = 50

/** From the first of these slots to the last. */
const rangeOf = (some: ReadonlyArray<{ readonly slot: bigint }>): SlotRange => ({
  fromSlot: some.reduce((least, { slot }) => (slot < least ? slot : least), some[0]!.slot),
  toSlot: some.reduce((most, { slot }) => (slot > most ? slot : most), some[0]!.slot),
})

const listingOf = (listed: ReadonlyArray<Listed>): Listing => ({ ...rangeOf(listed), listed })

/** Slots that are proven stay so; others are. */
const coveringGaps = ({ coverage, ...subject }: Subject): Subject => ({
  ...subject,
  coverage: {
    ...coverage,
    add: (all, now) =>
      Effect.flatMap(coverage.all, (ranges) =>
        Effect.forEach(gapsOf(ranges, all), (gap) => coverage.add({ ...all, ...gap }, now), { discard: true }),
      ),
  },
})

/**
 * Reads what is listed again from the chain, whatever is proven and wherever the log has it from, and repairs the log and the tables by it.
 * Somebody folds the log meanwhile.
 */
export const listingRepair = Effect.gen(function* () {
  const sql = yield* SqlClient
  const history = yield* ChainHistory
  const log = yield* IngestLog
  const sink = yield* Sink
  const proveListing = yield* listingProof
  const { alteredOf, append, judge } = yield* judgement
  const facts = storedFacts(sql)

  /** Until the tables have what is in the log now. */
  const folded = Effect.gen(function* () {
    const head = yield* log.head
    while ((yield* sink.cursor) < head) yield* Effect.sleep(FOLDED_MILLIS)
  })

  const isDeadLetter = (entries: ReadonlyArray<LogEntry>) =>
    Effect.map(
      sql<Pick<LogEntry, "logOffset" | "position">>`
        select log_offset, position from dead_letters
        where log_offset = any(${entries.map(({ logOffset }) => logOffset)}::bigint[])`,
      (rows) => {
        const places = new Set(rows.map(({ logOffset, position }) => `${logOffset} ${position}`))
        return ({ logOffset, position }: LogEntry): boolean => places.has(`${logOffset} ${position}`)
      },
    )

  /** Those that the log has with other contents, or the tables with other rows. */
  const differing = Effect.fnUntraced(function* (known: ReadonlyMap<string, LogEntry>, read: ReadonlyArray<OnChain>) {
    const logged = read.flatMap((one) => {
      const entry = known.get(keyOf(one))
      return entry === undefined ? [] : [{ ...one, entry }]
    })
    const altered = new Set(yield* alteredOf(logged, "from any source"))
    const isDead = yield* isDeadLetter(logged.map(({ entry }) => entry))
    // PostgreSQL refuses its rows, and would again.
    const wrong = new Set(yield* facts.differing(logged.filter(({ entry }) => !isDead(entry))))
    return logged.filter((one) => altered.has(one.entry) || wrong.has(one))
  })

  /** In place of what the log has of them. The chain's version was read before, so that nothing is asked for in between. */
  const replace = Effect.fnUntraced(function* (
    { coverage }: Subject,
    wrong: ReadonlyArray<OnChain & { readonly entry: LogEntry }>,
    fence: Fence,
  ) {
    const range = rangeOf(wrong)
    const taken = yield* transactionsUnder(
      sql,
      fence,
    )(
      Effect.tap(coverage.take(range), () =>
        sink.drop(
          wrong.map(({ entry }) => entry),
          ALTERED,
          fence,
        ),
      ),
    )
    yield* append(wrong.map(({ onChain }) => onChain))
    yield* folded
    const derived = wrong.map(({ onChain }) => derivedOf(onChain))
    const facts = {
      trades: derived.flatMap(({ trades }) => trades),
      events: derived.flatMap(({ events }) => events),
      claims: derived.flatMap(({ claims }) => claims),
    }
    yield* sink.refold(facts, fence)
    return taken
  })

  /** Compares these with what the chain has, and replaces those that differ. */
  const compare = Effect.fnUntraced(function* <E>(
    subject: Subject,
    listed: ReadonlyArray<Listed>,
    fence: Fence,
    onRepaired: OnRepaired<E>,
  ) {
    const { coverage } = subject
    const taken: Array<Effect.Success<ReturnType<typeof replace>>[number]> = []
    let left = listed
    for (let time = 0; left.length > 0; time++) {
      const { transactions, unfetched } = yield* history.transactions(left)
      if (unfetched.length > 0) {
        if ((yield* RequestCount).refused > REFUSED_MAX)
          return yield* new HistoryIncomplete({ reason: problemOf(unfetched[0]!) })
        const signatures = new Set(unfetched.map(({ signature }) => signature))
        const unread = left.filter(({ signature }) => signatures.has(signature))
        yield* transactionsUnder(
          sql,
          fence,
        )(Effect.forEach(unread, (one) => coverage.take(rangeOf([one])), { discard: true }))
        yield* onRepaired({ unread: unread.length, problem: problemOf(unfetched[0]!) })
        left = left.filter(({ signature }) => !signatures.has(signature))
        if (left.length === 0) break
      }
      yield* folded
      const known = new Map((yield* subject.entries(listingOf(left))).map((entry) => [keyOf(entry), entry]))
      const read = left.map(({ signature, slot }, index) => ({ signature, slot, onChain: transactions[index]! }))
      const wrong = yield* differing(known, read)
      if (wrong.length > 0 && time === REPLACE_TRIES)
        return yield* new HistoryIncomplete({
          reason: `${wrong[0]!.signature} was replaced by what the chain has, and differs from it again`,
        })
      if (wrong.length > 0) taken.push(...(yield* replace(subject, wrong, fence)))
      if (wrong.length > 0 && time === 0) yield* onRepaired({ replaced: wrong.length })
      const keys = new Set(wrong.map(keyOf))
      left = left.filter((one) => keys.has(keyOf(one)))
    }
    const logOffset = yield* log.head
    if (taken.length > 0) yield* transactionsUnder(sql, fence)(coverage.putBack(taken, logOffset))
  })

  /** Deletes rows of transactions that are neither in the log nor on the chain. */
  const clearUnlogged = Effect.fnUntraced(function* (subject: Subject, listing: Listing, fence: Fence) {
    const stray = yield* facts.unlogged(subject.address, listing)
    if (stray.length === 0) return 0
    const entries = stray.map((one): LogEntry => ({ ...one, logOffset: 0n, position: 0 }))
    const judged = yield* judge(entries, listing.toSlot)
    if (judged.some(({ verdict }) => verdict === undefined))
      return yield* new HistoryIncomplete({ reason: "transactions on the chain are missing from its listing" })
    yield* Effect.logWarning(`Deleting the rows of ${stray.length} transactions that the chain does not have`)
    yield* sink.clear(stray, fence)
    return stray.length
  })

  return Effect.fnUntraced(function* <E>(subject: Subject, listing: Listing, fence: Fence, onRepaired: OnRepaired<E>) {
    const known = new Set((yield* subject.entries(listing)).map(keyOf))
    // What the log has is compared below, where its slots are taken out of what is proven before it is replaced.
    const bare = listing.listed.map(({ transaction, ...one }): Listed =>
      transaction === undefined || known.has(keyOf(one)) ? one : { ...one, transaction },
    )
    const { dropped, missing } = yield* proveListing(coveringGaps(subject), { ...listing, listed: bare }, fence)
    yield* folded
    const cleared = yield* clearUnlogged(subject, listing, fence)
    if (missing + dropped + cleared > 0) yield* onRepaired({ missing, reverted: dropped + cleared })
    const landed = listing.listed.filter(({ hasFailed }) => !hasFailed)
    for (const some of Arr.chunksOf(landed, FETCH_AT_ONCE)) yield* compare(subject, some, fence, onRepaired)
    return landed.length
  })
})
