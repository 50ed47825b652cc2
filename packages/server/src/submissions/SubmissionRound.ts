import { BLOCKHASH_BLOCKS } from "@launch-registry/chain/rpc/ChainHead"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { CommitNotices } from "@launch-registry/postgres/CommitNotices"
import { releaseOnFailure } from "@launch-registry/postgres/LeasedQueue"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Clock, Effect, Layer, Random, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isNotIn, lookUpOnEveryEndpoint } from "../transactions/SignatureStatuses.ts"
import { chainStatuses, type Seen } from "../transactions/ChainStatuses.ts"
import { endingsOf, type Ending } from "./ExpiredSubmissions.ts"
import { type Sent, sendTo } from "./SendSubmission.ts"
import { readAnswers, type Sighting, stateOf } from "./Sighting.ts"
import { SubmissionFigures } from "./SubmissionFigures.ts"
import { landedFailure, lookAt } from "./SubmissionLooks.ts"
import { type ClaimedSubmission, type RoundResult, submissionQueue } from "./SubmissionQueue.ts"

/** Fewer than the 256 that `getSignatureStatuses` takes, so that a round ends within its lease while endpoints time out. */
const BATCH = 64
/** Broadcasts in flight, each to all endpoints. */
const SENDS_AT_ONCE = 32
const FAILURES_READ_AT_ONCE = 32
/** An endpoint in use is at most so many blocks behind another one. */
const BLOCKS_BEHIND_MAX = BLOCKHASH_BLOCKS

/** What has not ended by then is looked at in the next round. */
const ENDINGS_MILLIS = 8_000

/** Interval of broadcasts and of looks, half of it at most left to chance. */
export const ROUND_MILLIS = 2_000
const JITTER = 0.5
/** Without an endpoint in use. */
const AWAY_MILLIS = 1_000
/** What is past its height is asked for less and less often, while doubt keeps it from ending. */
const OVER_SHARE = 0.1
const OVER_MILLIS_MAX = 600_000

/** Shortest and longest pause between two looks; one ends when something is submitted or due. */
const [LOOK_MILLIS, LOOK_MAX_MILLIS] = [250, 5_000]
const SWEEP_MILLIS = 60_000
/** Submissions per statement. */
const SWEEP_BATCH = 1_000
const KEPT_MILLIS = 7 * 24 * 3_600_000

/** Without answers nothing ends. */
const inDoubt = Effect.succeed<ReadonlyMap<string, Ending>>(new Map())

type Known = Sighting | "reverted" | undefined

/** Whether what was confirmed is not any more. */
const isReverted = ({ state }: ClaimedSubmission, known: Known): boolean =>
  (state === "confirmed" || state === "failed") &&
  (known === "reverted" || (known !== undefined && known.commitment === "processed"))

/**
 * One round over what is due: asks all endpoints for the signatures, sends what has not landed, ends what has. Any number of
 * processes may: claims are leases, and the only thing that is ever sent twice is the same signed bytes.
 */
export const submissionRound = Effect.gen(function* () {
  const rpc = yield* Rpc
  const sql = yield* SqlClient
  const queue = yield* submissionQueue
  const figures = yield* SubmissionFigures
  const records = chainStatuses(sql)
  const send = sendTo(rpc, figures)

  const look = Effect.fnUntraced(function* (claimed: ReadonlyArray<ClaimedSubmission>, millis: number) {
    const seen = new Map<ClaimedSubmission, Known>()
    let isHeard = false
    // A node's recent statuses, of some 300 slots, hold a transaction whose blockhash may still be valid.
    const youngMillis = Number(BLOCKHASH_BLOCKS) * (yield* rpc.slotMillis)
    const isYoung = ({ createdAt, state }: ClaimedSubmission) =>
      state === "pending" && millis - createdAt.getTime() < youngMillis
    const ask = Effect.fnUntraced(function* (deeply: boolean) {
      const asked = claimed.filter((one) => isYoung(one) !== deeply)
      if (asked.length === 0) return
      const answers = yield* lookAt(
        rpc,
        asked.map(({ signature }) => signature),
        deeply,
      )
      for (const [index, one] of asked.entries()) {
        isHeard ||= answers[index]!.some(Result.isSuccess)
        seen.set(one, readAnswers(one, answers[index]!))
      }
    })
    yield* Effect.all([ask(false), ask(true)], { concurrency: "unbounded", discard: true })
    const doubted = claimed.filter((one) => isReverted(one, seen.get(one)))
    if (doubted.length === 0) return { seen, isHeard, doubted }
    const answers = yield* lookUpOnEveryEndpoint(
      rpc,
      doubted.map(({ signature }) => signature),
    )
    // However many slots have passed, what the network has confirmed stands until another block is final in its place.
    for (const [index, one] of doubted.entries()) if (!isNotIn(answers, index, one.slot ?? 0n)) seen.set(one, undefined)
    return { seen, isHeard, doubted }
  })

  const pause = (one: ClaimedSubmission, isOver: boolean, millis: number, random: number): number => {
    const jittered = ROUND_MILLIS * (1 - JITTER / 2 + JITTER * random)
    return isOver
      ? Math.max(jittered, Math.min((millis - one.createdAt.getTime()) * OVER_SHARE, OVER_MILLIS_MAX))
      : jittered
  }

  /**
   * What is known now of a submission that a block holds. One that was not executed has not landed: its bytes may land in another block
   * until that one is finalized, and nowhere after it.
   */
  const landed = Effect.fnUntraced(function* (one: ClaimedSubmission, sighting: Sighting) {
    const { commitment, err, slot } = sighting
    // Its words are read once when it is confirmed: before, no node tells its log.
    const isKnown = one.error !== null && one.slot === slot && (one.state !== "processed" || commitment === "processed")
    const isFinal = commitment === "finalized"
    if (err === null) return { state: stateOf(sighting), slot, error: null, isFinal } as const
    const known = { error: one.error, isExecuted: true }
    const { error, isExecuted } = isKnown ? known : yield* landedFailure(rpc, one, err)
    if (isExecuted) return { state: stateOf(sighting), slot, error, isFinal } as const
    // Whether it was executed is asked again while no node tells its fee.
    const isExpired = isFinal && isExecuted === false
    return { state: isExpired ? "expired" : "pending", slot: null, error, isFinal: isExpired } as const
  })

  const round = Effect.fnUntraced(function* (claimed: ReadonlyArray<ClaimedSubmission>) {
    const millis = yield* Clock.currentTimeMillis
    const { doubted, isHeard, seen } = yield* look(claimed, millis)
    const height = yield* Effect.result(rpc.call((kit) => kit.getBlockHeight({ commitment: "confirmed" })))
    // One that is too far ahead was an endpoint's mistake: it would never be past.
    const boundOf = ({ lastValidBlockHeight: stored }: ClaimedSubmission): bigint | null => {
      if (Result.isFailure(height)) return stored
      const highest = height.success + BLOCKHASH_BLOCKS
      return stored === null || stored > highest + BLOCKS_BEHIND_MAX ? highest : stored
    }
    const isOver = (one: ClaimedSubmission): boolean => {
      const bound = boundOf(one)
      return bound !== null && Result.isSuccess(height) && height.success > bound
    }

    /** Neither confirmed nor finalized, or denied since: a block may still be dropped. */
    const unconfirmed = claimed.filter((one) => {
      const known = seen.get(one)
      return known === undefined
        ? one.state === "pending" || one.state === "processed" || doubted.includes(one)
        : known === "reverted" || known.commitment === "processed"
    })
    const sent = new Map<ClaimedSubmission, Sent>()
    yield* Effect.forEach(
      unconfirmed.filter((one) => !isOver(one)),
      (one) => Effect.map(send(one), (outcome) => void sent.set(one, outcome)),
      { concurrency: SENDS_AT_ONCE, discard: true },
    )
    const over = unconfirmed.flatMap((one) => {
      const bound = boundOf(one)
      return isOver(one) && bound !== null && seen.get(one) === undefined && one.state === "pending"
        ? [{ ...one, claimed: one, lastValidBlockHeight: bound }]
        : []
    })
    const endings: ReadonlyMap<string, Ending> =
      over.length === 0
        ? new Map()
        : yield* endingsOf(rpc, over).pipe(
            Effect.timeout(ENDINGS_MILLIS),
            Effect.catchTags({ RpcError: () => inDoubt, TimeoutError: () => inDoubt }),
          )

    for (const one of over) {
      const ending = endings.get(one.signature)
      if (ending?._tag === "Landed") seen.set(one.claimed, ending.sighting)
    }

    const resultOf = Effect.fnUntraced(function* (one: ClaimedSubmission) {
      const ending = endings.get(one.signature)
      const known = seen.get(one)
      const outcome = sent.get(one)
      const rest = {
        claimed: one,
        lastValidBlockHeight: ending?._tag === "StillValid" ? ending.lastValidBlockHeight : boundOf(one),
        isSent: outcome?.isTaken ?? false,
        pauseMillis: isHeard ? pause(one, isOver(one), millis, yield* Random.next) : AWAY_MILLIS,
      }
      if (ending?._tag === "Expired")
        return { ...rest, state: "expired", slot: null, error: one.error, isFinal: true } as const
      if (known === "reverted") return { ...rest, state: "pending", slot: null, error: null, isFinal: false } as const
      if (known !== undefined) return { ...rest, ...(yield* landed(one, known)) }
      const error = one.state === "pending" && outcome !== undefined ? outcome.refusal : one.error
      return { ...rest, state: one.state, slot: one.slot, error, isFinal: false }
    })
    const results: ReadonlyArray<RoundResult> = yield* Effect.forEach(claimed, resultOf, {
      concurrency: FAILURES_READ_AT_ONCE,
    })
    const recorded = claimed.flatMap((one): ReadonlyArray<Seen> => {
      const known = seen.get(one)
      if (one.recordId === null || known === undefined || known === "reverted") return []
      return [[one.signature, { err: known.err, slot: known.slot, confirmationStatus: known.commitment }]]
    })
    const reverted = claimed.flatMap((one) => (isReverted(one, seen.get(one)) ? [one.signature] : []))
    if (recorded.length + reverted.length === 0) return yield* Effect.asVoid(queue.settle(results))
    const now = new Date(millis)
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* queue.settle(results)
        if (reverted.length > 0) yield* records.revert(reverted, now)
        yield* records.settle(recorded, now)
      }),
    )
  })

  /** Returns whether more may be due. */
  const next = Effect.fn("sendSubmissions")(function* () {
    const claimed = yield* queue.claimDue(BATCH)
    if (claimed.length === 0) return false
    yield* round(claimed).pipe(
      releaseOnFailure(Effect.forEach(claimed, queue.release, { discard: true })),
      Effect.withSpan("submissionRound", { kind: "consumer", root: true }),
    )
    return claimed.length === BATCH
  })

  return { dueMillis: queue.dueMillis, next: next(), sweep: queue.sweep }
})

/** Sends what was submitted for as long as the process lives, and deletes what ended a week ago. Any number of processes may. */
export const SendSubmissionsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { dueMillis, next, sweep } = yield* submissionRound
    const submitted = (yield* CommitNotices).follow("submissions", LOOK_MILLIS)
    const untilDue = Effect.flatMap(dueMillis, (millis) => Effect.timeoutOption(submitted, millis ?? LOOK_MAX_MILLIS))
    const catchUp = Effect.repeat(next, { while: (more) => more })
    const forget = Effect.repeat(sweep(KEPT_MILLIS, SWEEP_BATCH), {
      while: (deleted) => deleted === SWEEP_BATCH,
    })
    yield* Effect.forkScoped(regularly("Sending submissions", LOOK_MILLIS, Effect.andThen(untilDue, catchUp)))
    yield* Effect.forkScoped(regularly("Sweeping submissions", SWEEP_MILLIS, forget))
  }),
)
