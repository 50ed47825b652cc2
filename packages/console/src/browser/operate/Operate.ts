import type { AuditEntry } from "@launch-registry/client"
import { useEffect, useState } from "preact/hooks"
import { Ago } from "../Ago.ts"
import { type Failure, failureOf } from "../Failure.ts"
import { formatDuration } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { dataOf, hasAdminKey, registry } from "../Registry.ts"
import { Section } from "../Section.ts"
import { Failed, Loading } from "../States.ts"
import { Audit, readAudit } from "./Audit.ts"
import { Commands } from "./Commands.ts"
import { type Action, Confirm } from "./Confirm.ts"
import { every } from "./Every.ts"
import { type Finding, findings, isRead, type Readings } from "./Findings.ts"
import { Indexer } from "./Indexer.ts"
import { Jobs } from "./Jobs.ts"
import { KeyForm } from "./KeyForm.ts"
import { Outbox, type OutboxReading, readOutbox } from "./Outbox.ts"
import { type Health, PARTS } from "./Reports.ts"
import { usePolled } from "./Polled.ts"
import { readCounts } from "./ReadCounts.ts"
import { RpcChanges } from "./RpcChanges.ts"
import { RpcTable } from "./RpcTable.ts"
import { trafficFindings } from "./TrafficFindings.ts"
import type { RequestCounts } from "./TrafficRates.ts"
import { lastMinute, withReading } from "./TrafficReadings.ts"
import { TrafficView } from "./TrafficView.ts"
import { Unusable } from "./Unusable.ts"

const EVERY_MILLIS = 5_000
const TRAFFIC_EVERY_MILLIS = 10_000
/** What changes less, and costs more requests. */
const LATER_EVERY_MILLIS = 30_000

/** For operators alone. */
interface LaterReadings {
  readonly outbox: OutboxReading | Failure
  readonly audit: ReadonlyArray<AuditEntry> | Failure
}

const readLater = async (signal: AbortSignal): Promise<LaterReadings | undefined> => {
  if (!hasAdminKey()) return undefined
  const [outbox, audit] = await Promise.all([readOutbox(signal).catch(failureOf), readAudit(signal).catch(failureOf)])
  return { outbox, audit }
}

/** Part by part: one that is not answered hides none of the others. */
const readAll = async (signal: AbortSignal): Promise<Readings & { readonly at: number }> => {
  const { system } = registry
  const [health, readiness, indexer, rpc] = await Promise.all([
    dataOf(system.health({}, { signal })),
    dataOf(system.ready({}, { signal })),
    dataOf(system.indexer({}, { signal })),
    dataOf(system.rpc({}, { signal })),
  ])
  return { health, readiness, indexer, rpc, at: Date.now() }
}

const FindingView = ({ finding }: { readonly finding: Finding }): View =>
  html`<li class=${finding.isBad ? "bad" : "warn"}>
    <p><b>${finding.isBad ? "Not well" : "Look at this"}: ${finding.what}</b></p>
    <p>
      ${finding.next} ${finding.runbook === undefined ? null : html`<small>docs/runbook.md, ${finding.runbook}</small>`}
    </p>
  </li>`

const Parts = ({ health }: { readonly health: Health }): View =>
  html`<ul class="parts">
      ${PARTS.map(
        (name) =>
          html`<li class=${health[name].status}>
            <b>${name}</b> <span class="badge">${health[name].status}</span>
            <span class="detail">${health[name].detail}</span>
          </li>`,
      )}
    </ul>
    <p><small>Version ${health.version}, ${health.network}, up for ${formatDuration(health.uptimeSeconds)}</small></p>`

const verdictOf = (found: ReadonlyArray<Finding>, unread: number): readonly [kind: string, words: string] => {
  if (found.some(({ isBad }) => isBad)) return ["bad", "Not well"]
  if (found.length > 0) return ["warn", "It works, and something needs a look"]
  return ["well", unread > 0 ? "What can be read is well" : "All is well"]
}

/** Is it well, and if not, what to do. */
export const Operate = (): View => {
  const [counts, setCounts] = useState<ReadonlyArray<RequestCounts>>([])
  const [notCounted, setNotCounted] = useState<Failure>()
  const [action, setAction] = useState<Action>()
  const [attempt, setAttempt] = useState(0)
  const readings = usePolled(EVERY_MILLIS, readAll, [attempt])
  const later = usePolled(LATER_EVERY_MILLIS, readLater, [attempt])
  useEffect(
    () =>
      every(TRAFFIC_EVERY_MILLIS, async (signal) => {
        const got = await readCounts(signal).catch(failureOf)
        if (signal.aborted) return
        setNotCounted(got instanceof Error ? got : undefined)
        if (!(got instanceof Error)) setCounts((known) => withReading(known, got))
      }),
    [],
  )
  const again = (): void => setAttempt((count) => count + 1)

  const heading = html`<div class="bar"><h1>Operate</h1></div>`
  if (readings === undefined) return html`${heading}<${Loading} what="Reading the state of the service" />`
  const { at, health, indexer, rpc } = readings
  const found = [...findings(readings, at), ...trafficFindings(lastMinute(counts))].sort(
    (one, other) => Number(other.isBad) - Number(one.isBad),
  )
  const unread = [indexer, rpc].filter((one) => !isRead<object>(one)) as ReadonlyArray<Failure>
  const isHidden = unread.some(({ status }) => status === 401 || status === 403)
  const [kind, words] = verdictOf(found, unread.length)
  const orFailed = <A extends object>(reading: A | Failure | undefined, show: (value: A) => View): View =>
    reading === undefined
      ? html`<${Loading} what="Reading" />`
      : isRead(reading)
        ? show(reading)
        : html`<${Failed} failure=${reading} onRetry=${again} />`
  const onAsk = hasAdminKey() ? setAction : undefined
  return html`${heading}
    <p class=${`verdict ${kind}`} role="status">${words}</p>
    <p class="live">Read <${Ago} time=${new Date(at).toISOString()} />, every ${EVERY_MILLIS / 1_000} seconds</p>
    ${
      found.length === 0
        ? null
        : html`<ul class="findings" aria-label="What to do">
            ${found.map((finding) => html`<${FindingView} finding=${finding} />`)}
          </ul>`
    }
    ${isHidden ? html`<p class="stale">Indexer and endpoints are shown to operators alone: enter a key below.</p>` : null}
    <${Section} id="parts" name="Parts">${orFailed(health, (one) => html`<${Parts} health=${one} />`)}<//>
    <${Section} id="traffic" name="Requests">
      ${
        notCounted === undefined
          ? html`<${TrafficView} readings=${counts} />`
          : html`<${Failed} failure=${notCounted} />`
      }
    <//>
    <${Section} id="indexer" name="Indexer">
      ${orFailed(
        indexer,
        (one) =>
          html`<${Indexer} report=${one} />${
              hasAdminKey() ? html`<${Jobs} report=${one} attempt=${attempt} onAsk=${setAction} />` : null
            }<${Commands} report=${one} />`,
      )}
    <//>
    <${Section} id="rpc" name="RPC endpoints">
      ${orFailed(
        rpc,
        (one) => html`<${RpcTable} report=${one} onAsk=${onAsk} /><${RpcChanges} changes=${one.changes} />`,
      )}
    <//>
    ${
      hasAdminKey()
        ? html`${
              isRead(indexer) && indexer.deadLetters + indexer.poison > 0
                ? html`<${Section} id="unusable" name="Not usable">
                    <${Unusable} deadLetters=${indexer.deadLetters} poison=${indexer.poison} />
                  <//>`
                : null
            }
            <${Section} id="outbox" name="Not delivered">
              ${orFailed(later?.outbox, (one) => html`<${Outbox} reading=${one} onAsk=${setAction} />`)}
            <//>
            <${Section} id="audit" name="Audit log">
              ${orFailed(later?.audit, (one) => html`<${Audit} entries=${one} />`)}
            <//>`
        : null
    }
    <${Section} id="key" name="Key"><${KeyForm} onKey=${again} /><//>
    ${
      action === undefined
        ? null
        : html`<${Confirm}
            action=${action}
            onClose=${() => {
              setAction(undefined)
              again()
            }}
          />`
    }`
}
