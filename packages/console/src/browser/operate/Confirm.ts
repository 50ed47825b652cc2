import { useEffect, useRef, useState } from "preact/hooks"
import { type Failure, failureOf } from "../Failure.ts"
import { html, type View } from "../Html.ts"

/** Something that an operator is about to do. */
export interface Action {
  /** Of the dialog and its button, such as `Cordon primary`. */
  readonly title: string
  readonly consequence: string
  /** What is asked for with it. */
  readonly fields?: ReadonlyArray<Field>
  /** Does it with the texts of the fields, and says what was done. */
  readonly run: (...texts: ReadonlyArray<string>) => Promise<string>
}

export interface Field {
  readonly label: string
  readonly maxLength: number
  readonly initial?: string
  /** A regular expression that the whole text has to match. */
  readonly pattern?: string
}

/** Goes into the audit log. */
export const REASON: Field = { label: "Reason, for the audit log", maxLength: 200 }

/** Asks whether it is to be done, does it, and says what came of it. */
export const Confirm = ({ action, onClose }: { readonly action: Action; readonly onClose: () => void }): View => {
  const dialog = useRef<HTMLDialogElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [state, setState] = useState<"asked" | "running" | "done">("asked")
  const [said, setSaid] = useState("")
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => dialog.current?.showModal(), [])
  const confirm = async (event: Event): Promise<void> => {
    event.preventDefault()
    setState("running")
    setFailure(undefined)
    try {
      const texts = [...(form.current?.querySelectorAll("input") ?? [])].map(({ value }) => value.trim())
      setSaid(await action.run(...texts))
      setState("done")
    } catch (error) {
      setFailure(failureOf(error))
      setState("asked")
    }
  }
  const { consequence, fields = [], title } = action
  return html`<dialog ref=${dialog} aria-labelledby="confirm-title" onClose=${onClose}>
    <form ref=${form} onSubmit=${confirm}>
      <h2 id="confirm-title">${title}</h2>
      <p>${consequence}</p>
      ${
        state === "done"
          ? null
          : fields.map(
              ({ initial = "", label, maxLength, pattern }) =>
                html`<label
                  >${label} <input required maxlength=${maxLength} pattern=${pattern} defaultValue=${initial}
                /></label>`,
            )
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
