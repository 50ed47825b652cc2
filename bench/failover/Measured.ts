import type { Samples } from "./ClientMain.ts"
import type { ContenderName } from "./Contenders.ts"
import { amplification, failbackMillis, lastPrimaryMillis, oldestBlockhash, type Window, windowOf } from "./Figures.ts"
import { FOREIGN, type Scenario } from "./Scenarios.ts"
import type { StandIn } from "./StandIn.ts"
import { RETRY_AFTER_SECONDS } from "./StandInMain.ts"

/** Moments of a run, in milliseconds since its start. */
export interface Moments {
  readonly warm: number
  readonly fault: number
  readonly recovery: number
  readonly end: number
}

type Amplification = ReturnType<typeof amplification>

/** The figures of one run of one contender. Times in milliseconds. */
export interface Measured {
  readonly scenario: Scenario
  readonly contender: ContenderName
  readonly before: Window
  readonly during: Window
  /** From two seconds after the fault on. */
  readonly later: Window
  readonly failed: number
  readonly quiet: Amplification
  readonly loud: Amplification
  readonly failback: number | undefined
  readonly lastPrimary: number
  readonly oldestBlockhash: number
  readonly switches: number
  readonly hedgeShare: number
  /** Calls that the node of another cluster received after taking over the primary's URL. */
  readonly wrongCluster: number
  /** Its answers and blockhashes that reached clients. */
  readonly wrongAnswers: number
  readonly wrongBlockhashes: number
  /** Calls that the primary received between half a second after the fault and the end of its Retry-After. */
  readonly earlyCalls: number
}

/** Calls in flight when the fault came arrive a little later. */
const ARRIVAL_MILLIS = 500

export const measured = (
  scenario: Scenario,
  contender: ContenderName,
  samples: Samples,
  nodes: ReadonlyArray<StandIn>,
  { end, fault, recovery, warm }: Moments,
): Measured => {
  const during = windowOf(samples, fault, recovery)
  const [primary, , replacement] = nodes
  const callsAt = (from: number, to: number) => primary!.between(samples.startedAt + from, samples.startedAt + to).calls
  return {
    scenario,
    contender,
    before: windowOf(samples, warm, fault),
    during,
    later: windowOf(samples, fault + 2_000, recovery),
    failed: during.failed + windowOf(samples, recovery, end).failed,
    quiet: amplification(nodes, samples, warm, fault),
    loud: amplification(nodes, samples, fault, recovery),
    failback: failbackMillis(samples, recovery, end),
    lastPrimary: lastPrimaryMillis(samples, fault, recovery),
    oldestBlockhash: oldestBlockhash(samples, fault, recovery),
    switches: samples.switches,
    hedgeShare: samples.hedges / samples.at.length,
    wrongCluster: replacement?.callsSinceStart ?? 0,
    wrongAnswers: samples.endpoint.filter((id) => id === FOREIGN.id).length,
    wrongBlockhashes: samples.blockhashes.filter(([, age]) => age < -FOREIGN.slotsAhead / 2).length,
    earlyCalls: callsAt(fault + ARRIVAL_MILLIS, Math.min(recovery, fault + RETRY_AFTER_SECONDS * 1_000)),
  }
}

const millis = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(value < 10 ? 1 : 0))
const seconds = (value: number | undefined): string =>
  value === undefined ? "never" : `${(value / 1_000).toFixed(1)} s`

/** A row of the table. */
export const rowOf = ({ before, contender, during, later, loud, quiet, scenario, ...rest }: Measured) => ({
  scenario: `${scenario.id} ${scenario.what}`,
  contender,
  "p99 before": millis(before.p99),
  calls: during.calls,
  failed: rest.failed,
  wrong: rest.wrongAnswers + rest.wrongBlockhashes,
  p99: millis(during.p99),
  "p99 after 2 s": millis(later.p99),
  slowest: millis(during.slowest),
  throughput: `${Math.round((100 * during.perSecond) / before.perSecond)} %`,
  "requests/call": `${quiet.calls.toFixed(2)} / ${loud.calls.toFixed(2)}`,
  "primary last used": seconds(rest.lastPrimary),
  failback: seconds(rest.failback),
  "oldest blockhash": `${rest.oldestBlockhash} slots`,
  switches: contender === "ours" ? rest.switches : "-",
  hedges: contender === "ours" ? `${(100 * rest.hedgeShare).toFixed(2)} %` : "-",
})
