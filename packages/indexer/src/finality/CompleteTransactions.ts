import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { appendTransactions, type LogEntry } from "../inbox/IngestLog.ts"
import { type IncompleteTransaction, poisonStatements } from "../inbox/PoisonStatements.ts"
import type { Fence } from "../leader/Lease.ts"
import { changesOf } from "../modules/DatabaseChanges.ts"
import { Sink } from "../sink/Sink.ts"
import { fetchTransactions } from "../sources/FetchTransactions.ts"

/** Transactions that are fetched in a turn. */
const AT_ONCE = 64
const FETCHES_AT_ONCE = 8
const AGAIN_MILLIS = 5_000
const AGAIN_MILLIS_MAX = 600_000
/** What no endpoint knows after so many times, some two hours, was forged, or is of a dropped fork. */
const UNKNOWN_TRIES_MAX = 20
/** Until dead letters are asked for again that the chain's version would not have mended. */
const LETTERS_AGAIN_MILLIS = 600_000

const DECODES_NOT = "it could not be decoded"

/** Until one is asked for again that no endpoint had as a whole, after so many tries before. */
export const pauseAfterTries = (tries: number): number =>
  Math.min(AGAIN_MILLIS * 2 ** Math.min(tries, 30), AGAIN_MILLIS_MAX)

const FIRST = { logOffset: 0n, position: 0 }

/** What came of a turn. */
export interface Completed {
  /** Transactions that are in the log now as a whole. */
  readonly completed: number
}

/**
 * Fetches what was not received as a whole, or was delivered so that it cannot be decoded, from any endpoint: some of what is due at
 * a time, what no endpoint has after longer and longer pauses. The proof of their slots fetches them as well; this is sooner, and also
 * mends what arrives in slots that are proven already or never.
 */
export const completeTransactions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rpc = yield* Rpc
  const sink = yield* Sink
  const poison = poisonStatements(sql)
  let letter: Pick<LogEntry, "logOffset" | "position"> = FIRST
  let lettersAgainAt = 0

  /** The chain's version, if it is whole and can be decoded; one that cannot be fetched now is asked for again. */
  const fetched = Effect.fnUntraced(function* (signature: string) {
    const asked = yield* Effect.result(fetchTransactions(rpc, [{ signature }], "confirmed"))
    if (asked._tag === "Failure") return { whole: undefined, isUnknown: false }
    const { transactions, unfetched } = asked.success
    const whole = transactions.find((one) => changesOf([one]).undecodable.length === 0)
    return { whole, isUnknown: unfetched.some(({ isAvailable }) => !isAvailable) }
  })

  const postpone = Effect.fnUntraced(function* ({ signature, tries }: IncompleteTransaction, isUnknown: boolean) {
    const isGivenUp = isUnknown && tries + 1 >= UNKNOWN_TRIES_MAX
    const again = new Date((yield* Clock.currentTimeMillis) + pauseAfterTries(tries))
    yield* poison.postpone(signature, isGivenUp ? null : again)
  })

  /** What one is to be replaced by; `undefined` where it is there, or no endpoint has it now. */
  const versionOf = Effect.fnUntraced(function* (one: IncompleteTransaction) {
    const logged = one.slot === null ? undefined : yield* poison.logged(one.slot, one.signature)
    if (logged !== undefined && !logged.isDeadLetter) {
      // What is not folded yet may become a dead letter.
      if (logged.isFolded) yield* poison.remove([one.signature])
      return undefined
    }
    const { isUnknown, whole } = yield* fetched(one.signature)
    if (whole === undefined) yield* postpone(one, isUnknown)
    return whole && { entry: logged, whole }
  })

  const versionOfLetter = (entry: LogEntry) =>
    Effect.map(fetched(entry.signature), ({ whole }) => whole && { entry, whole })

  /** `isOurChain` fails on endpoints of another chain. */
  return Effect.fnUntraced(function* <E>(fence: Fence, isOurChain: Effect.Effect<unknown, E>) {
    const now = yield* Clock.currentTimeMillis
    if (now >= lettersAgainAt) {
      letter = FIRST
      lettersAgainAt = now + LETTERS_AGAIN_MILLIS
    }
    const [due, letters] = [yield* poison.due(new Date(now), AT_ONCE), yield* poison.deadLettersAfter(letter, AT_ONCE)]
    if (due.length + letters.length === 0) return { completed: 0 } satisfies Completed
    yield* isOurChain
    const found = [
      ...(yield* Effect.forEach(due, versionOf, { concurrency: FETCHES_AT_ONCE })),
      ...(yield* Effect.forEach(letters, versionOfLetter, { concurrency: FETCHES_AT_ONCE })),
    ].filter((version) => version !== undefined)
    const entries = found.flatMap(({ entry }) => entry ?? [])
    if (entries.length > 0) {
      // Whoever dies before the chain's version is there leaves these, which are fetched again.
      yield* poison.insert(
        entries.map(({ signature, slot }) => ({
          text: `${signature} ${now}`,
          reason: DECODES_NOT,
          signature,
          slot: Number(slot),
        })),
        "follow",
        new Date(now),
      )
      yield* sink.drop(entries, DECODES_NOT, fence)
    }
    // Those that failed changed nothing.
    const wholes = found.flatMap(({ whole }) => (whole.meta.err === null ? [whole] : []))
    if (wholes.length > 0) yield* appendTransactions("follow", wholes)
    if (found.length > 0) {
      yield* poison.remove(found.map(({ whole }) => whole.transaction.signatures[0]!))
      yield* Effect.logInfo(`Fetched ${found.length} transactions that were not received as a whole`)
    }
    letter = letters.at(-1) ?? letter
    return { completed: found.length } satisfies Completed
  })
})
