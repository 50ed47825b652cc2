import { useEffect, useRef, useState } from "preact/hooks"
import { formatDuration, formatWhole } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { Ago } from "../Ago.ts"
import { type Failure, failureOf } from "../Failure.ts"
import { read, registry, setAdminKey } from "../Registry.ts"
import { Failed, Loading } from "../States.ts"
import { type Finding, findings, isRead, type Readings } from "./Findings.ts"
import { type Health, type IndexerReport, PARTS, type Readiness, type RpcReport, unprovenSlots } from "./Reports.ts"
import { RpcTable } from "./RpcTable.ts"
import { SlotLine } from "./SlotLine.ts"

const EVERY_MILLIS = 5_000

/** Part by part: one that is not answered hides none of the others. */
const readAll = async (signal: AbortSignal): Promise<Readings> => {
  const { system } = registry
  const one = async <A>(call: Promise<{ readonly success: boolean }>): Promise<A | Failure> => {
    try {
      return ((await read(call)) as unknown as { readonly data: A }).data
    } catch (error) {
      return failureOf(error)
    }
  }
  const [health, readiness, indexer, rpc] = await Promise.all([
    one<Health>(system.health({}, { signal })),
    one<Readiness>(system.ready({}, { signal })),
    one<IndexerReport>(system.indexer({}, { signal })),
    one<RpcReport>(system.rpc({}, { signal })),
  ])
  return { health, readiness, indexer, rpc }
}

const FindingView = ({ finding }: { readonly finding: Finding }): View =>
  html`<li class=${finding.isBad ? "bad" : "warn"}>
    <p><b>${finding.isBad ? "Not well" : "Look at this"}: ${finding.what}</b></p>
    <p>${finding.next} <small>docs/runbook.md, ${finding.runbook}</small></p>
  </li>`

const Figure = ({ children, name }: { readonly name: string; readonly children?: View }): View =>
  html`<div>
    <dt>${name}</dt>
    <dd>${children}</dd>
  </div>`

const Indexer = ({ report }: { readonly report: IndexerReport }): View => {
  const { deadLetters, dropped, inbox, leader, poison, pools, replay, reportedAt, slot, webhook } = report
  const unproven = unprovenSlots(report)
  return html`<${SlotLine} report=${report} />
    <dl class="figures">
      <${Figure} name="Leader">${leader === null ? "none" : leader.holder}<//>
      <${Figure} name="Indexed slot">${slot === null ? "none yet" : formatWhole(slot)}<//>
      <${Figure} name="Finalized, not proven"
        >${unproven === null ? "not known" : `${formatWhole(String(unproven))} slots`}<//
      >
      <${Figure} name="Waiting segments">${formatWhole(inbox.pendingSegments)}<//>
      <${Figure} name="Webhook"
        >${webhook === null ? "none" : `${String(webhook.state)}: ${String(webhook.detail ?? "")}`}<//
      >
      <${Figure} name="Dead letters">${formatWhole(deadLetters)}<//>
      <${Figure} name="Poison">${formatWhole(poison)}<//>
      <${Figure} name="Dropped">${formatWhole(dropped)}<//>
      <${Figure} name="Migrated pools"
        >${pools === undefined ? "none yet" : `${String(pools.followed)} followed, ${String(pools.due)} due`}<//
      >
      ${replay === null ? null : html`<${Figure} name="Replay">${typeof replay.state === "string" ? replay.state : JSON.stringify(replay)}<//>`}
      <${Figure} name="Reported">${reportedAt === null ? "not yet" : html`<${Ago} time=${reportedAt} />`}<//>
    </dl>`
}

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

/** A key for what only operators may read. It is kept in memory alone. */
const KeyForm = ({ onKey }: { readonly onKey: () => void }): View => {
  const field = useRef<HTMLInputElement>(null)
  const [isSet, setIsSet] = useState(false)
  const use = (event: Event): void => {
    event.preventDefault()
    const key = field.current?.value ?? ""
    setAdminKey(key)
    setIsSet(key.trim() !== "")
    if (field.current !== null) field.current.value = ""
    onKey()
  }
  return html`<form class="key" onSubmit=${use}>
    <label>Key of an operator <input ref=${field} type="password" autocomplete="off" spellcheck=${false} /></label>
    <button>${isSet ? "Replace or forget" : "Use"}</button>
    <small
      >${isSet ? "A key is in use until this page is closed." : "It is not stored: it is gone when this page is closed."}</small
    >
  </form>`
}

/** Is it well, and if not, what to do. */
export const Operate = (): View => {
  const [readings, setReadings] = useState<Readings & { readonly at: number }>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const round = async (): Promise<void> => {
      const got = await readAll(ended.signal)
      if (ended.signal.aborted) return
      setReadings({ ...got, at: Date.now() })
      timer = setTimeout(() => void round(), EVERY_MILLIS)
    }
    void round()
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [attempt])

  const heading = html`<div class="bar"><h1>Operate</h1></div>`
  if (readings === undefined) return html`${heading}<${Loading} what="Reading the state of the service" />`
  const { at, health, indexer, rpc } = readings
  const found = findings(readings, at)
  const unread = [indexer, rpc].filter((one) => !isRead<object>(one)) as ReadonlyArray<Failure>
  const isHidden = unread.some(({ status }) => status === 401 || status === 403)
  const verdict = found.some(({ isBad }) => isBad)
    ? "Not well"
    : found.length > 0
      ? "It works, and something needs a look"
      : unread.length > 0
        ? "What can be read is well"
        : "All is well"
  const section = (id: string, name: string, view: View): View =>
    html`<section aria-labelledby=${id}>
      <h2 id=${id}>${name}</h2>
      ${view}
    </section>`
  const orFailed = <A extends object>(reading: A | Failure, show: (value: A) => View): View =>
    isRead(reading) ? show(reading) : html`<${Failed} failure=${reading} onRetry=${() => setAttempt(attempt + 1)} />`
  return html`${heading}
    <p
      class=${`verdict ${found.some(({ isBad }) => isBad) ? "bad" : found.length > 0 ? "warn" : "well"}`}
      role="status"
    >
      ${verdict}
    </p>
    <p class="live">Read <${Ago} time=${new Date(at).toISOString()} />, every ${EVERY_MILLIS / 1_000} seconds</p>
    ${
      found.length === 0
        ? null
        : html`<ul class="findings" aria-label="What to do">
            ${found.map((finding) => html`<${FindingView} finding=${finding} />`)}
          </ul>`
    }
    ${isHidden ? html`<p class="stale">Indexer and endpoints are shown to operators alone: enter a key below.</p>` : null}
    ${section(
      "parts",
      "Parts",
      orFailed(health, (one) => html`<${Parts} health=${one} />`),
    )}
    ${section(
      "indexer",
      "Indexer",
      orFailed(indexer, (one) => html`<${Indexer} report=${one} />`),
    )}
    ${section(
      "rpc",
      "RPC endpoints",
      orFailed(rpc, (one) => html`<${RpcTable} report=${one} />`),
    )}
    ${section("key", "Key", html`<${KeyForm} onKey=${() => setAttempt(attempt + 1)} />`)}`
}
