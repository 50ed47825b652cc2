import type { DecodableTransaction, RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { appendTransactions, IngestLog, type LogEntry } from "../inbox/IngestLog.ts"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { changesOf } from "../modules/DatabaseChanges.ts"
import { Sink } from "../sink/Sink.ts"
import { ChainHistory, type ChainOutcome, type Unfetched } from "../sources/ChainHistory.ts"
import { alteredContents } from "./AlteredContents.ts"
import { reconcileStatements } from "./ReconcileStatements.ts"
import type { Foreign, Subject } from "./Subject.ts"

/** Transactions are fetched and appended this many at a time. */
export const FETCH_AT_ONCE = 100
/** Bounded, so that one transaction that cannot be reverted does not block all others. */
export const DROP_AT_ONCE = 1_000

export const ALTERED = "its contents differ from the chain's"
export const FAILED = "it failed on chain"

/** Why a delivered transaction is reverted. */
export type Reason =
  | "the chain does not know it"
  | "the chain has it in another slot"
  | Foreign
  | typeof FAILED
  | typeof ALTERED

/** An entry of the log; no verdict when it landed and succeeded. */
export interface Judged {
  readonly entry: LogEntry
  readonly verdict: Reason | undefined
  /** Why it could not be judged: it landed, and no source gives what the chain has under its signature. */
  readonly problem?: Unfetched
  /** What the chain has under its signature, where it was fetched and has nothing to do with what is proven. */
  readonly onChain?: RawTransaction
}

/** Those of them that were delivered unaltered have no facts. */
const HARMLESS: ReadonlySet<Reason> = new Set<Reason>([
  FAILED,
  "it does not involve the program",
  "it does not involve the pool",
])

const verdictOn = (entry: LogEntry, outcome: ChainOutcome | undefined): Reason | undefined => {
  if (outcome === undefined) return "the chain does not know it"
  if (outcome.slot !== entry.slot) return "the chain has it in another slot"
  return outcome.hasFailed ? FAILED : undefined
}

/** Whether the chain has it in its slot, whatever came of it, also where it cannot be judged. */
export const hasLanded = ({ verdict }: Judged): boolean => verdict === undefined || verdict === FAILED

/** Whether an address is among the accounts of a transaction. */
export const involves = (
  { meta: { loadedAddresses }, transaction: { message } }: Pick<DecodableTransaction, "meta" | "transaction">,
  address: string,
): boolean =>
  [message.accountKeys, loadedAddresses?.writable, loadedAddresses?.readonly].some(
    (keys: ReadonlyArray<string> | undefined) => keys !== undefined && keys.indexOf(address) >= 0,
  )

const hasFacts = (transaction: RawTransaction): boolean => {
  const { events, trades } = changesOf([transaction])
  return events.length + trades.length > 0
}

/** Judges entries of the log by what the chain says of their signatures, and reverts wrong ones. */
export const judgement = Effect.gen(function* () {
  const sql = yield* SqlClient
  const history = yield* ChainHistory
  const log = yield* IngestLog
  const sink = yield* Sink
  const inbox = reconcileStatements(sql)
  const { alteredOf, incompleteOf } = alteredContents(sql)

  const append = (transactions: ReadonlyArray<RawTransaction>) =>
    Effect.provideService(appendTransactions("backfill", transactions), IngestLog, log)

  /** Compares entries with their outcomes on the chain. */
  const judge = Effect.fnUntraced(function* (entries: ReadonlyArray<LogEntry>, upTo: bigint) {
    if (entries.length === 0) return []
    const outcomes = yield* history.outcomes(
      entries.map(({ signature }) => signature),
      upTo,
    )
    return entries.map((entry, index): Judged => ({ entry, verdict: verdictOn(entry, outcomes[index]) }))
  })

  /**
   * A real signature in its real slot may be of a transaction that has nothing to do with the address. Such a one is left out
   * when it was delivered as it is: what it did concerns others, or nobody.
   */
  const judgeClosely = Effect.fnUntraced(function* (
    entries: ReadonlyArray<LogEntry>,
    upTo: bigint,
    { address, foreign: reason }: Subject,
  ) {
    const judged = yield* judge(entries, upTo)
    const landed = judged.filter(hasLanded)
    const asked = landed.map(({ entry }) => ({ ...entry, hasFailed: false }))
    const { transactions, unfetched } = yield* history.transactions(asked)
    const found = new Map(transactions.map((one) => [one.transaction.signatures[0]!, one]))
    const problems = new Map(unfetched.map((one) => [one.signature, one]))
    const foreign = new Map(
      landed.flatMap(({ entry }) => {
        const onChain = found.get(entry.signature)
        return onChain === undefined || involves(onChain, address) ? [] : [[entry, onChain] as const]
      }),
    )
    const altered = new Set(
      yield* alteredOf(
        [...foreign].map(([entry, onChain]) => ({ entry, onChain })),
        "from any source",
      ),
    )
    return judged.flatMap((one): ReadonlyArray<Judged> => {
      const problem = hasLanded(one) ? problems.get(one.entry.signature) : undefined
      if (problem !== undefined) return [{ entry: one.entry, verdict: undefined, problem }]
      const onChain = foreign.get(one.entry)
      if (onChain === undefined) return [one]
      return altered.has(one.entry) ? [{ entry: one.entry, verdict: reason, onChain }] : []
    })
  })

  /** Of harmless ones, those that have facts, or hide what the chain has instead. */
  const unfoundedOf = Effect.fnUntraced(function* (judged: ReadonlyArray<Judged>) {
    const founded = new Set(
      (yield* inbox.withFacts(judged.map(({ entry }) => entry))).map(
        ({ logOffset, position }) => `${logOffset} ${position}`,
      ),
    )
    return judged.filter(
      ({ entry, onChain }) =>
        founded.has(`${entry.logOffset} ${entry.position}`) || (onChain !== undefined && hasFacts(onChain)),
    )
  })

  /** Reverts wrong transactions; returns their number. What the chain has instead is appended where it has facts. */
  const dropWrong = Effect.fnUntraced(function* (judged: ReadonlyArray<Judged>, fence: Fence) {
    let dropped = 0
    for (const reason of new Set(judged.flatMap(({ verdict }) => verdict ?? []))) {
      const wrong = judged.filter(({ verdict }) => verdict === reason)
      // A failed or foreign transaction that was delivered unaltered has no facts.
      const unfounded = HARMLESS.has(reason) ? yield* unfoundedOf(wrong) : wrong
      if (unfounded.length === 0) continue
      yield* Effect.logWarning(`Reverting ${unfounded.length} transactions: ${reason}`)
      for (const some of Arr.chunksOf(unfounded, DROP_AT_ONCE))
        yield* sink.drop(
          some.map(({ entry }) => entry),
          reason,
          fence,
        )
      dropped += unfounded.length
    }
    const instead = judged.flatMap(({ onChain }) => (onChain !== undefined && hasFacts(onChain) ? [onChain] : []))
    for (const some of Arr.chunksOf(instead, FETCH_AT_ONCE)) yield* append(some)
    return dropped
  })

  /** Takes the slots of those that could not be judged out of what is proven of a subject: their proof judges them, once it can. */
  const uncover = Effect.fnUntraced(function* (judged: ReadonlyArray<Judged>, { coverage }: Subject, fence: Fence) {
    const slots = new Set(judged.flatMap(({ entry, problem }) => (problem === undefined ? [] : [entry.slot])))
    if (slots.size === 0) return
    yield* transactionsUnder(
      sql,
      fence,
    )(Effect.forEach(slots, (slot) => coverage.take({ fromSlot: slot, toSlot: slot }), { discard: true }))
  })

  return { append, judge, judgeClosely, dropWrong, uncover, alteredOf, incompleteOf }
})
