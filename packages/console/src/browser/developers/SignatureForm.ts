import { useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { verifySignature } from "./VerifySignature.ts"

const SECOND_MILLIS = 1_000

/** Says whether a receiver would believe a message. Secret and body stay in the page. */
export const SignatureForm = (): View => {
  const [said, setSaid] = useState("")
  const verify = async (event: Event): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string): string => String(fields.get(name) ?? "")
    const received = {
      ...{ id: text("id"), timestamp: text("timestamp"), signatures: text("signatures") },
      // A form sends line ends as CR and LF; the field has LF.
      body: text("body").replaceAll("\r\n", "\n"),
    }
    const verdict = await verifySignature(text("secret"), received, Math.floor(Date.now() / SECOND_MILLIS))
    if (!verdict.isSigned) setSaid(`Not verified. ${verdict.why}`)
    else if (verdict.isTooOld)
      setSaid("Signed with this secret, and more than five minutes old: a receiver refuses it.")
    else setSaid("Signed with this secret.")
  }
  const field = (name: string, label: string, type = "text"): View =>
    html`<label>${label} <input name=${name} type=${type} autocomplete="off" spellcheck=${false} required /></label>`
  return html`<form class="fields" onSubmit=${verify}>
    ${field("secret", "Secret (whsec_…)", "password")} ${field("id", "webhook-id")}
    ${field("timestamp", "webhook-timestamp")} ${field("signatures", "webhook-signature")}
    <label>Body, as it came <textarea name="body" rows="4" spellcheck=${false} required></textarea></label>
    <button>Verify</button>
    <p role="status">${said}</p>
  </form>`
}
