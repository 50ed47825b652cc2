import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { DBC_PROGRAM } from "@launch-registry/chain/launch/Programs"
import { Array as Arr, Clock, Context, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { appendTransactions } from "../inbox/AppendTransactions.ts"
import { IngestLog } from "../inbox/IngestLog.ts"
import { type Fence, type LeaseLost, leaseStatements } from "../leader/Lease.ts"
import type { LogEntry } from "../sink/InboxStatements.ts"
import { Sink } from "../sink/Sink.ts"
import { alteredContents } from "./AlteredContents.ts"
import {
  ChainHistory,
  type ChainOutcome,
  HistoryIncomplete,
  type Listed,
  type Listing,
} from "../sources/ChainHistory.ts"
import { coverageStatements } from "./CoverageStatements.ts"
import { reconcileStatements } from "./ReconcileStatements.ts"
import { gapsOf, type SlotRange } from "../sources/SlotRanges.ts"

/** What a round found. */
export interface Round {
  readonly finalizedSlot: bigint
  /** Transactions of the chain that had never been delivered. */
  readonly missing: number
  /** Transactions that were delivered and are not on the chain, or not with these contents. */
  readonly dropped: number
  readonly proven: ReadonlyArray<SlotRange>
}

/** Transactions are fetched and appended this many at a time. */
const FETCH_AT_ONCE = 100
/** Bounded, so that one transaction that cannot be reverted does not block all others. */
const DROP_AT_ONCE = 1_000

const ALTERED = "its contents differ from the chain's"

/** Why a delivered transaction is reverted. */
type Reason =
  | "the chain does not know it"
  | "the chain has it in another slot"
  | "it failed on chain"
  | "it does not involve the program"
  | typeof ALTERED

/** An entry of the log; no verdict when it landed and succeeded. */
interface Judged {
  readonly entry: LogEntry
  readonly verdict: Reason | undefined
}

const HARMLESS: ReadonlySet<Reason> = new Set<Reason>(["it failed on chain", "it does not involve the program"])

type ListedByKey = ReadonlyMap<string, Listed>

const isAltered = ({ verdict }: Judged): boolean => verdict === ALTERED

/** Retries for when a constantly delivering forger is faster than the chain's version. */
const REPLACE_TRIES = 5

const newestOf = (entries: ReadonlyArray<LogEntry>): bigint =>
  entries.reduce((newest, { logOffset }) => (logOffset > newest ? logOffset : newest), 0n)

const keyOf = ({ signature, slot }: Listed | LogEntry): string => `${slot} ${signature}`

/** Those that the log lacks. */
const missingIn = (known: ReadonlyArray<LogEntry>, wanted: ReadonlyArray<Listed>): ReadonlyArray<Listed> => {
  const keys = new Set(known.map(keyOf))
  return wanted.filter((one) => !keys.has(keyOf(one)))
}

const verdictOn = (entry: LogEntry, outcome: ChainOutcome | undefined): Reason | undefined => {
  if (outcome === undefined) return "the chain does not know it"
  if (outcome.slot !== entry.slot) return "the chain has it in another slot"
  return outcome.hasFailed ? "it failed on chain" : undefined
}

const isOfProgram = ({ meta: { loadedAddresses }, transaction: { message } }: RawTransaction): boolean =>
  [message.accountKeys, loadedAddresses?.writable ?? [], loadedAddresses?.readonly ?? []].some((keys) =>
    keys.includes(DBC_PROGRAM),
  )

/**
 * Compares the log with the finalized chain, range by range: missing transactions are fetched and appended,
 * transactions that the chain does not know are reverted, and only then is the range covered. Where the chain's listing
 * comes with whole transactions, deliveries with other contents are replaced. When the chain does not answer, or
 * contradicts itself, nothing is concluded.
 */
export class Reconciler extends Context.Service<
  Reconciler,
  {
    /** Proves every unproven slot from `originSlot` to the finalized slot. */
    readonly round: (originSlot: bigint, fence: Fence) => Effect.Effect<Round, HistoryIncomplete | LeaseLost | SqlError>
    /** Proves a range of finalized slots, page by page. */
    readonly prove: (
      range: SlotRange,
      fence: Fence,
      onProven?: (page: SlotRange) => Effect.Effect<void>,
    ) => Effect.Effect<Omit<Round, "finalizedSlot">, HistoryIncomplete | LeaseLost | SqlError>
  }
>()("@launch-registry/indexer/finality/Reconciler") {
  static readonly layer = Layer.effect(
    Reconciler,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const history = yield* ChainHistory
      const log = yield* IngestLog
      const sink = yield* Sink
      const lease = leaseStatements(sql)
      const coverage = coverageStatements(sql)
      const inbox = reconcileStatements(sql)
      const alteredOf = alteredContents(sql)

      const fetchMissing = Effect.fnUntraced(function* (missing: ReadonlyArray<Listed>) {
        for (const page of Arr.chunksOf(missing, FETCH_AT_ONCE)) {
          const transactions = yield* history.transactions(page)
          yield* Effect.provideService(appendTransactions("backfill", transactions), IngestLog, log)
        }
      })

      /** Compares entries with their outcomes on the chain. */
      const judge = Effect.fnUntraced(function* (entries: ReadonlyArray<LogEntry>, upTo: bigint) {
        if (entries.length === 0) return []
        const outcomes = yield* history.outcomes(
          entries.map(({ signature }) => signature),
          upTo,
        )
        return entries.map((entry, index) => ({ entry, verdict: verdictOn(entry, outcomes[index]) }))
      })

      /** A real signature in its real slot may be of a transaction that has nothing to do with the program. */
      const judgeClosely = Effect.fnUntraced(function* (entries: ReadonlyArray<LogEntry>, upTo: bigint) {
        const judged = yield* judge(entries, upTo)
        const landed = judged.filter(({ verdict }) => verdict === undefined || verdict === "it failed on chain")
        const transactions = yield* history.transactions(landed.map(({ entry }) => ({ ...entry, hasFailed: false })))
        const foreign = new Set(
          landed.flatMap(({ entry }, index) => (isOfProgram(transactions[index]!) ? [] : [entry])),
        )
        return judged.map((one) =>
          foreign.has(one.entry) ? { ...one, verdict: "it does not involve the program" as const } : one,
        )
      })

      /** Reverts wrong transactions; returns their number. */
      const dropWrong = Effect.fnUntraced(function* (judged: ReadonlyArray<Judged>, fence: Fence) {
        let dropped = 0
        for (const reason of new Set(judged.flatMap(({ verdict }) => verdict ?? []))) {
          const wrong = judged.flatMap(({ entry, verdict }) => (verdict === reason ? [entry] : []))
          // A failed or foreign transaction that was delivered unaltered has no facts.
          const unfounded = HARMLESS.has(reason) ? yield* inbox.withFacts(wrong) : wrong
          if (unfounded.length === 0) continue
          yield* Effect.logWarning(`Reverting ${unfounded.length} transactions: ${reason}`)
          for (const some of Arr.chunksOf(unfounded, DROP_AT_ONCE)) yield* sink.drop(some, reason, fence)
          dropped += unfounded.length
        }
        return dropped
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
          return isWrong ? [{ entry, verdict: hasFailed ? "it failed on chain" : ALTERED }] : []
        })
      })

      /** Fetches the listed transactions that the log lacks; returns how many had to be reverted for it. */
      const complete = Effect.fnUntraced(function* (
        { fromSlot, toSlot }: SlotRange,
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
          const held = yield* inbox.entriesBetween(fromSlot, toSlot)
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

      const proveListing = Effect.fnUntraced(function* (listing: Listing, fence: Fence) {
        const { fromSlot, toSlot } = listing
        const known = yield* inbox.entriesBetween(fromSlot, toSlot)
        const listed: ListedByKey = new Map(listing.listed.map((one) => [keyOf(one), one]))
        const unlisted = yield* judgeClosely(
          known.filter((entry) => !listed.has(keyOf(entry))),
          toSlot,
        )
        if (unlisted.some(({ verdict }) => verdict === undefined || verdict === "it failed on chain"))
          return yield* new HistoryIncomplete({ reason: "transactions on the chain are missing from its listing" })
        const judged = yield* judgeListed(known, listed)
        const altered = judged.filter(isAltered)
        const landed = listing.listed.filter(({ hasFailed }) => !hasFailed)
        const missing = missingIn(known, landed)
        // Before fetching: while they are in the log, the chain's version counts as a redelivery.
        const replaced = yield* dropWrong(altered, fence)
        const replacements = altered.map(({ entry }) => listed.get(keyOf(entry))!)
        const raced = yield* complete(listing, known, [...missing, ...replacements], listed, fence)
        const failed = judged.filter((one) => !isAltered(one))
        const dropped = replaced + raced + (yield* dropWrong([...unlisted, ...failed], fence))
        const logOffset = yield* log.head
        yield* Effect.gen(function* () {
          yield* lease.hold(fence)
          const now = new Date(yield* Clock.currentTimeMillis)
          yield* coverage.add({ fromSlot, toSlot, provenBy: history.name, logOffset }, now)
        }).pipe(sql.withTransaction)
        return { missing: missing.length, dropped, range: { fromSlot, toSlot } }
      })

      const prove = Effect.fn("Reconciler.prove")(function* (
        range: SlotRange,
        fence: Fence,
        onProven: (page: SlotRange) => Effect.Effect<void> = () => Effect.void,
      ) {
        const after = yield* inbox.firstCoveredAbove(range.toSlot)
        const found = yield* Stream.runCollect(
          Stream.mapEffect(history.list(range, after), (listing) =>
            Effect.tap(proveListing(listing, fence), () => onProven(listing)),
          ),
        )
        return {
          missing: found.reduce((sum, { missing }) => sum + missing, 0),
          dropped: found.reduce((sum, { dropped }) => sum + dropped, 0),
          proven: found.map(({ range: proven }) => proven),
        }
      })

      /** Transactions that arrived late in slots that were already proven, or in slots that are never proven. */
      const checkLate = Effect.fnUntraced(function* (originSlot: bigint, finalizedSlot: bigint, fence: Fence) {
        const checked = yield* inbox.checkedOffset
        const head = yield* log.head
        if (head === checked) return 0
        let dropped = 0
        const late = yield* inbox.lateEntries(checked, head)
        for (const some of Arr.chunksOf(late, DROP_AT_ONCE))
          dropped += yield* dropWrong(yield* judgeClosely(some, finalizedSlot), fence)
        const strays = yield* inbox.strayEntries(checked, head, originSlot, finalizedSlot)
        for (const some of Arr.chunksOf(strays, DROP_AT_ONCE))
          dropped += yield* dropWrong(yield* judge(some, finalizedSlot), fence)
        yield* inbox.setCheckedOffset(head)
        return dropped
      })

      const round = Effect.fn("Reconciler.round", { kind: "consumer", root: true })(function* (
        originSlot: bigint,
        fence: Fence,
      ) {
        const finalizedSlot = yield* history.finalizedSlot
        let dropped = yield* checkLate(originSlot, finalizedSlot, fence)
        let missing = 0
        const proven: Array<SlotRange> = []
        yield* Effect.andThen(lease.hold(fence), coverage.join).pipe(sql.withTransaction)
        const gaps = gapsOf(yield* coverage.all, { fromSlot: originSlot, toSlot: finalizedSlot })
        // The newest first: the last minute matters more than last night.
        for (const gap of gaps.toReversed()) {
          const found = yield* prove(gap, fence)
          missing += found.missing
          dropped += found.dropped
          proven.push(...found.proven)
        }
        if (missing > 0) yield* Effect.logInfo(`Fetched ${missing} transactions that were never delivered`)
        return { finalizedSlot, missing, dropped, proven }
      })

      return Reconciler.of({ round, prove })
    }),
  )
}
