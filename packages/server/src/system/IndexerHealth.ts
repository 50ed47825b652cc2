import type { IndexSource } from "@launch-registry/domain/system/LeaderReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import type { Effect } from "effect"
import type { Failing, LeaderSays, PoolsSays } from "./IndexerReports.ts"
import type { readIndex, Watermarks } from "./IndexerStatements.ts"

type Index = Effect.Success<ReturnType<typeof readIndex>>

/** An unindexed segment older than this means that the indexer falls behind. */
const SEGMENT_SECONDS_MAX = 10
/** Reconciliation rounds are a minute apart, and each proves up to the finalized slot. */
const BEHIND_SECONDS_MAX = 120
/** A round takes time, and the previous one may have failed. */
const ROUNDS_LATE = 2
const LATE_SECONDS = 60
/** Interval of rounds where the leader does not say it. */
const RECONCILE_SECONDS = 60
const PROBLEM_LENGTH_MAX = 300
/** Rounds take the pools that are due in turn: by then something is wrong, or the requests of a round are too few. */
const POOLS_LATE_SECONDS = 3_600
/** As the alerts have it. The index is none the worse for it: what is not sent stays in PostgreSQL. */
const FAILING_SECONDS = 3_600
/** Reconciliation with the chain is off. */
const OFF: IndexSource = "off"

interface Proof {
  readonly isProven: boolean
  readonly detail: string
}

/** Health of the index: how far it is proven, and whether that keeps up with the chain. */
export const indexerHealth = ({ history, marks, progress, reports }: Index): PartHealth => {
  const { hasRun, isLed, oldestPendingSeconds, pendingSegments, slot } = progress
  const { leader, pools } = reports
  if (!hasRun) return { status: "off", detail: "no indexer has run on this database" }
  if (leader.otherCluster !== null) return { status: "down", detail: cut(leader.problem ?? "another chain") }
  const proof = proofOf(leader, marks)
  const indexed = slot === null ? "nothing indexed yet" : `indexed up to ${slot}`
  const at = [
    proof.detail,
    indexed,
    ...followedOf(pools),
    ...failing("trades have not been sent to ClickHouse", history),
  ].join(", ")
  if (!isLed) return { status: "down", detail: `no leader; ${at}` }
  if ((oldestPendingSeconds ?? 0) > SEGMENT_SECONDS_MAX)
    return { status: "degraded", detail: `${at}, ${pendingSegments} segments behind` }
  if (leader.source === OFF) return { status: "off", detail: at }
  const isBad = pools !== undefined && (pools.dueSeconds > POOLS_LATE_SECONDS || pools.problem !== null)
  return { status: proof.isProven && !isBad ? "up" : "degraded", detail: at }
}

/** How many migrated pools there are, how far their proofs are behind, and why slots of one are not proven. */
const followedOf = (pools: PoolsSays | undefined): ReadonlyArray<string> => {
  if (pools === undefined || pools.followed === 0) return []
  const { due, dueSeconds, followed, problem } = pools
  const behind = dueSeconds > POOLS_LATE_SECONDS ? `, ${due} of them due for up to ${Math.floor(dueSeconds)} s` : ""
  const unproven = problem === null ? "" : ` (not proven: ${cut(problem)})`
  return [`${followed} migrated pools followed${behind}${unproven}`]
}

const failing = (what: string, found: Failing | undefined): ReadonlyArray<string> =>
  found === undefined || found.failingSeconds <= FAILING_SECONDS
    ? []
    : [`${what} for ${Math.floor(found.failingSeconds)} s`]

/** Up to where every table is proven, and beside it the program where that is further. */
const provenOf = ({ programWatermarkSlot, watermarkSlot }: Watermarks): string | undefined => {
  if (programWatermarkSlot === null) return undefined
  if (watermarkSlot === null) return `nothing proven complete yet; the program alone up to slot ${programWatermarkSlot}`
  const complete = `proven complete up to slot ${watermarkSlot}`
  return watermarkSlot === programWatermarkSlot
    ? complete
    : `${complete}; the program alone up to slot ${programWatermarkSlot}`
}

const proofOf = (leader: LeaderSays, watermarks: Watermarks): Proof => {
  const { finalizedSeconds, finalizedSlot, originSlot, problem, reportSeconds, source } = leader
  const proven = provenOf(watermarks)
  if (source === OFF) {
    const detail = proven === undefined ? "nothing is proven" : `${proven}, nothing after it`
    return { isProven: false, detail: `${detail}: INDEXER_SOURCE is off` }
  }
  if (problem !== null) return { isProven: false, detail: `${proven ?? "nothing proven yet"} (${cut(problem)})` }
  if (finalizedSlot === null || originSlot === null || reportSeconds === null)
    return { isProven: false, detail: "nothing proven yet: not reconciled with the chain so far" }
  const lateSeconds = ROUNDS_LATE * (leader.reconcileSeconds ?? RECONCILE_SECONDS) + LATE_SECONDS
  if (reportSeconds > lateSeconds) {
    const late = `last reconciled with the chain ${Math.floor(reportSeconds)} s ago`
    return { isProven: false, detail: `${proven ?? "nothing proven yet"} (${late})` }
  }
  // Whatever other slots have passed: it is the chain that has proven nothing since.
  if (finalizedSeconds !== null && finalizedSeconds > lateSeconds) {
    const still = `the chain has finalized nothing after slot ${finalizedSlot} for ${Math.floor(finalizedSeconds)} s`
    return { isProven: false, detail: `${proven ?? "nothing proven yet"} (${still})` }
  }
  if (finalizedSlot < originSlot)
    return { isProven: true, detail: `nothing to prove yet: no slot is finalized since ${originSlot}` }
  // Proofs of migrated pools take turns: when one of them is late, it is said of them.
  const behind = Math.floor(watermarks.unprovenSeconds ?? 0)
  if (proven === undefined || behind > BEHIND_SECONDS_MAX)
    return { isProven: false, detail: `${proven ?? "nothing proven yet"} (${behind} s behind the finalized slot)` }
  return { isProven: true, detail: proven }
}

const cut = (text: string): string =>
  text.length <= PROBLEM_LENGTH_MAX ? text : `${text.slice(0, PROBLEM_LENGTH_MAX - 1)}…`
