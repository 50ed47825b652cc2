import type { ContenderName } from "./Contenders.ts"
import type { Measured } from "./Measured.ts"
import { SLOT_MILLIS } from "./StandInMain.ts"

/** A goal, what was measured, and whether it was met. */
export type Verdict = readonly [goal: string, measured: string, isMet: boolean]

const P99_ROOM_MILLIS = 25
const SECOND = 1_000
const BEHIND_MILLIS = 25 * SLOT_MILLIS
/** Until an endpoint lags by 25 slots; then three seconds until it is out of use. */
const STALE_MILLIS = BEHIND_MILLIS + 3_000
/** A blockhash of an endpoint that is 25 slots behind, and five slots old. */
const BLOCKHASH_SLOTS_MAX = 30

const millis = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`

/** The goals that the soak can measure for our failover. Tests show the others (error classes, one endpoint, logs). */
export const verdicts = (all: ReadonlyArray<Measured>): ReadonlyArray<Verdict> => {
  const of = (id: string, name: ContenderName = "ours") =>
    all.find(({ contender, scenario }) => scenario.id === id && contender === name)
  const found: Array<Verdict> = []
  const goal = (id: string, text: string, judge: (measured: Measured) => readonly [string, boolean]) => {
    const measured = of(id)
    if (measured !== undefined) found.push([`${id} ${text}`, ...judge(measured)])
  }
  goal("F1", "killed: 0 failed, p99 within 25 ms of before, slowest 400 ms", ({ before, during, failed }) => [
    `${failed} failed, p99 ${millis(before.p99)} -> ${millis(during.p99)}, slowest ${millis(during.slowest)}`,
    failed === 0 && during.p99 <= before.p99 + P99_ROOM_MILLIS && during.slowest <= 400,
  ])
  for (const [id, what] of [
    ["F2", "hung"],
    ["F3", "browned out"],
  ] as const) {
    const text = `${what}: 0 failed, slowest within 150 ms of the hedge delay (50 ms), p99 within 25 ms after 2 s, 80 % throughput`
    goal(id, text, ({ before, during, failed, later }) => [
      `${failed} failed, slowest ${millis(during.slowest)}, p99 ${millis(before.p99)} -> ${millis(later.p99)}, ` +
        `${Math.round((100 * during.perSecond) / before.perSecond)} %`,
      failed === 0 &&
        during.slowest <= 200 &&
        later.p99 <= before.p99 + P99_ROOM_MILLIS &&
        during.perSecond >= 0.8 * before.perSecond,
    ])
  }
  const failbacks = ["F1", "F2", "F3", "F10"].flatMap((id) => of(id) ?? [])
  if (failbacks.length > 0) {
    const slowest = Math.max(...failbacks.map(({ failback }) => failback ?? Number.POSITIVE_INFINITY))
    found.push(["F4 back on the primary within 5 s", `${(slowest / SECOND).toFixed(1)} s at most`, slowest <= 5_000])
  }
  goal("F4", "flapping: at most 6 switches a minute, 0 failed", ({ failed, switches }) => [
    `${switches} switches, ${failed} failed`,
    switches <= 6 && failed === 0,
  ])
  goal("F5", "stale: left 3 s after it is 25 slots behind, blockhashes 120 blocks good", (measured) => [
    `left ${(measured.lastPrimary / SECOND).toFixed(1)} s after it stood still (25 slots are ${(BEHIND_MILLIS / SECOND).toFixed(1)} s), oldest blockhash ${measured.oldestBlockhash} slots`,
    measured.lastPrimary <= STALE_MILLIS && measured.oldestBlockhash <= BLOCKHASH_SLOTS_MAX,
  ])
  for (const [id, how] of [
    ["F6", "killed and replaced"],
    ["F6h", "handed over"],
  ] as const)
    goal(id, `another cluster, ${how}: never used`, ({ failed, wrongAnswers, wrongBlockhashes, wrongCluster }) => [
      `${wrongCluster} calls there, ${wrongAnswers} wrong answers, ${wrongBlockhashes} wrong blockhashes, ${failed} failed`,
      wrongCluster + wrongAnswers + wrongBlockhashes + failed === 0,
    ])
  goal("F7", "429: no call before Retry-After, 0 failed", ({ earlyCalls, failed }) => [
    `${earlyCalls} calls after the first answers, ${failed} failed`,
    earlyCalls === 0 && failed === 0,
  ])
  goal("F8", "both away: answered within 2.5 s", ({ during }) => [
    `slowest ${millis(during.slowest)}`,
    during.slowest <= 2_500,
  ])
  const ours = all.filter(({ contender, scenario }) => contender === "ours" && scenario.id !== "F8")
  if (ours.length > 0) {
    const quiet = Math.max(...ours.map(({ quiet: { withProbes } }) => withProbes))
    const loud = Math.max(...ours.map(({ loud: { withProbes } }) => withProbes))
    const hedges = Math.max(...ours.map(({ hedgeShare }) => hedgeShare))
    found.push([
      "F9 requests a call, probes included: 1.05 when well, 2 in an outage; hedges 5 %",
      `${quiet.toFixed(3)}, ${loud.toFixed(3)}; ${(100 * hedges).toFixed(2)} %`,
      quiet <= 1.05 && loud <= 2 && hedges <= 0.05,
    ])
  }
  const single = of("F11", "single")
  if (single !== undefined)
    goal("F11", "adds at most 1 ms to the p99 of kit alone", ({ during }) => [
      `${millis(single.during.p99)} -> ${millis(during.p99)}`,
      during.p99 <= single.during.p99 + 1,
    ])
  return found
}
