import type { AuditEntry } from "@launch-registry/client"
import { useState } from "preact/hooks"
import { failureOf } from "../Failure.ts"
import { html, type View } from "../Html.ts"
import { hasAdminKey, read, registry } from "../Registry.ts"
import { CopyButton } from "../CopyButton.ts"

const PAGE = 100
const PAGES_MAX = 10

const REQUEST_ID = /^[\w-]{1,128}$/

/** The audit log has no index by request: the newest entries are looked through. */
const inAudit = async (requestId: string): Promise<AuditEntry | undefined> => {
  let cursor: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const { data, pagination } = await read(registry.audit.list({ limit: PAGE, cursor }))
    const found = data.find((entry) => entry.requestId === requestId)
    if (found !== undefined) return found
    cursor = pagination?.nextCursor ?? undefined
    if (cursor === undefined) return undefined
  }
  return undefined
}

/** Where a request is to be found by the id that its answer has. */
export const FindRequest = (): View => {
  const [requestId, setRequestId] = useState("")
  const [said, setSaid] = useState("")
  const find = async (event: Event): Promise<void> => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get("request") ?? "").trim()
    setRequestId("")
    if (!REQUEST_ID.test(text))
      return setSaid("That is no request id: it is in x-request-id and in the body of every error.")
    setRequestId(text)
    if (!hasAdminKey()) return setSaid("With a key on Operate the audit log is looked through as well.")
    setSaid("Looking through the audit log")
    try {
      const found = await inAudit(text)
      setSaid(
        found === undefined
          ? `It is not among the newest ${PAGE * PAGES_MAX} writes with credentials.`
          : `${found.at}, ${found.caller.kind} ${found.caller.name ?? found.caller.id}: ${found.method} ${found.route}, answered ${String(found.status)}`,
      )
    } catch (error) {
      setSaid(failureOf(error).message)
    }
  }
  const command = `grep -F '${requestId}' <log of the service>`
  return html`<form class="fields" onSubmit=${find}>
      <label>Request id <input name="request" autocomplete="off" spellcheck=${false} required /></label>
      <button>Find</button>
      <p role="status">${said}</p>
    </form>
    ${
      requestId === ""
        ? null
        : html`<p>Every line of its request in the log has it: <code>${command}</code></p>
            <${CopyButton} text=${command} what="command" />`
    }`
}
