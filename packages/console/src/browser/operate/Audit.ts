import type { AuditEntry } from "@launch-registry/client"
import { Ago } from "../Ago.ts"
import { html, type View } from "../Html.ts"
import { read, registry } from "../Registry.ts"

const ENTRIES_MAX = 20

export const readAudit = async (signal: AbortSignal): Promise<ReadonlyArray<AuditEntry>> =>
  (await read(registry.audit.list({ limit: ENTRIES_MAX }, { signal }))).data

const Entry = ({ entry }: { readonly entry: AuditEntry }): View => {
  const { at, caller, method, reason, requestId, route, status, subject } = entry
  const what = `${caller.kind} ${caller.name ?? caller.id}: ${method} ${route}${subject === null ? "" : ` (${subject})`}`
  const answer = `${status === null ? "did not end" : `answered ${status}`}${reason === null ? "" : `, “${reason}”`}`
  return html`<li>
    <span><${Ago} time=${at} />${`, ${what} ${answer} `}<small>request ${requestId}</small></span>
  </li>`
}

/** The newest writes with credentials. */
export const Audit = ({ entries }: { readonly entries: ReadonlyArray<AuditEntry> }): View =>
  entries.length === 0
    ? html`<p>No write with credentials yet.</p>`
    : html`<ul class="rows">
        ${entries.map((entry) => html`<${Entry} key=${entry.id} entry=${entry} />`)}
      </ul>`
