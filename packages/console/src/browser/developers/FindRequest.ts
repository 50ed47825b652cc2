import type { AuditEntry } from "@launch-registry/client"
import { useState } from "preact/hooks"
import { failureOf } from "../Failure.ts"
import { html, type View } from "../Html.ts"
import { hasAdminKey, read, registry } from "../Registry.ts"
import { CopyButton } from "../CopyButton.ts"

const REQUEST_ID = /^[\w.-]{1,101}$/

const inAudit = async (requestId: string): Promise<AuditEntry | undefined> =>
  (await read(registry.audit.list({ requestId, limit: 1 }))).data[0]

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
    if (!hasAdminKey()) return setSaid("With a key on Operate it is looked up in the audit log as well.")
    setSaid("Looking it up in the audit log")
    try {
      const found = await inAudit(text)
      setSaid(
        found === undefined
          ? "It is not among the writes with credentials."
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
