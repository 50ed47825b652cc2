import { useEffect, useRef, useState } from "preact/hooks"
import { type Failure, failureOf } from "../Failure.ts"
import { html, type View } from "../Html.ts"

/** Something that an operator is about to do. */
export interface Action {
  /** Of the dialog and its button, such as `Cordon primary`. */
  readonly title: string
  readonly consequence: string
  /** What is asked for with it, such as a reason that goes into the audit log. */
  readonly field?: { readonly label: string; readonly maxLength: number; readonly initial?: string }
  /** Does it, and says what was done. */
  readonly run: (text: string) => Promise<string>
}

/** Asks whether it is to be done, does it, and says what came of it. */
export const Confirm = ({ action, onClose }: { readonly action: Action; readonly onClose: () => void }): View => {
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<"asked" | "running" | "done">("asked")
  const [said, setSaid] = useState("")
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => dialog.current?.showModal(), [])
  const confirm = async (event: Event): Promise<void> => {
    event.preventDefault()
    setState("running")
    setFailure(undefined)
    try {
      setSaid(await action.run(field.current?.value.trim() ?? ""))
      setState("done")
    } catch (error) {
      setFailure(failureOf(error))
      setState("asked")
    }
  }
  const { consequence, field: asked, title } = action
  return html`<dialog ref=${dialog} aria-labelledby="confirm-title" onClose=${onClose}>
    <form onSubmit=${confirm}>
      <h2 id="confirm-title">${title}</h2>
      <p>${consequence}</p>
      ${
        asked === undefined || state === "done"
          ? null
          : html`<label
              >${asked.label} <input ref=${field} required maxlength=${asked.maxLength} value=${asked.initial ?? ""}
            /></label>`
      }
      <p role="status">${said}</p>
      ${
        failure === undefined
          ? null
          : html`<p role="alert">
              ${failure.message}${failure.requestId === undefined ? "" : ` (request ${failure.requestId})`}
            </p>`
      }
      <div class="bar">
        ${state === "done" ? null : html`<button disabled=${state === "running"}>${title}</button>`}
        <button type="button" onClick=${() => dialog.current?.close()}>${state === "done" ? "Close" : "Cancel"}</button>
      </div>
    </form>
  </dialog>`
}
