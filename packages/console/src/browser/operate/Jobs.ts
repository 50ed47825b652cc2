import type { IndexerJob } from "@launch-registry/client"
import { Ago } from "../Ago.ts"
import type { Failure } from "../Failure.ts"
import { formatWhole } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { dataOf, registry } from "../Registry.ts"
import { Failed, Loading } from "../States.ts"
import type { Action } from "./Confirm.ts"
import { isRead } from "./Findings.ts"
import { backfillAction, cancelAction, repairAction, replayAction } from "./JobActions.ts"
import { usePolled } from "./Polled.ts"
import type { IndexerReport } from "./Reports.ts"

const EVERY_MILLIS = 3_000
const GAPS_MAX = 5

const nameOf = ({ fromSlot, kind, toSlot }: IndexerJob): string =>
  kind === "replay"
    ? "replay"
    : `${kind} ${formatWhole(fromSlot!)} to ${toSlot === null ? "the finalized slot" : formatWhole(toSlot)}`

const stateOf = ({ done, state, total }: IndexerJob): string =>
  state === "running" && total !== null ? `running, ${formatWhole(done)} of ${formatWhole(total)}` : state

const Job = ({ job, onAsk }: { readonly job: IndexerJob; readonly onAsk: (action: Action) => void }): View => {
  const { detail, endedAt, id, reason, requestedAt, state } = job
  const when = endedAt ?? requestedAt
  return html`<li>
    <span>
      <b>${nameOf(job)}</b>: ${stateOf(job)}, <${Ago} time=${when} />${`, “${reason}”`}
      ${detail === null ? null : html`<br /><small>${detail}</small>`}
    </span>
    ${
      state === "queued" || state === "running"
        ? html`<button onClick=${() => onAsk(cancelAction(id, nameOf(job)))}>Cancel</button>`
        : null
    }
  </li>`
}

const readJobs = (signal: AbortSignal): Promise<ReadonlyArray<IndexerJob> | Failure> =>
  dataOf(registry.system.jobs({}, { signal }))

/** What the leading indexer was asked to do, and what it can be asked for. */
export const Jobs = ({
  attempt,
  onAsk,
  report,
}: {
  /** Changes when something was done: then the jobs are read again. */
  readonly attempt: number
  readonly onAsk: (action: Action) => void
  readonly report: IndexerReport
}): View => {
  const jobs = usePolled(EVERY_MILLIS, readJobs, [attempt])
  const { finalizedSlot, gaps } = report
  return html`<h3>Jobs</h3>
    <div class="bar">
      ${gaps
        .slice(0, GAPS_MAX)
        .map(
          (gap) =>
            html`<button key=${gap.fromSlot} onClick=${() => onAsk(backfillAction(gap))}>
              ${`Prove ${formatWhole(gap.fromSlot)} to ${formatWhole(gap.toSlot)}`}
            </button>`,
        )}
      <button onClick=${() => onAsk(backfillAction({ fromSlot: "", toSlot: finalizedSlot ?? "" }))}>Prove slots</button>
      <button onClick=${() => onAsk(repairAction({ fromSlot: "", toSlot: finalizedSlot ?? "" }))}>
        Read slots again
      </button>
      <button onClick=${() => onAsk(replayAction)}>Replay</button>
    </div>
    ${
      jobs === undefined
        ? html`<${Loading} what="Reading the jobs" />`
        : !isRead(jobs)
          ? html`<${Failed} failure=${jobs} />`
          : jobs.length === 0
            ? html`<p>Nothing was asked for yet.</p>`
            : html`<ul class="rows jobs">
                ${jobs.map((job) => html`<${Job} key=${job.id} job=${job} onAsk=${onAsk} />`)}
              </ul>`
    }`
}
