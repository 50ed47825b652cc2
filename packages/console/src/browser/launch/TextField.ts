import { html, type View } from "../Html.ts"

interface TextFieldProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly hint?: string
  readonly issue?: string | undefined
  readonly isLong?: boolean
  readonly isFixed: boolean
  readonly inputMode?: "decimal" | "url"
  readonly onText: (text: string) => void
}

/** A field with its rule, and beside it what is wrong with it. */
export const TextField = ({
  hint,
  id,
  inputMode,
  isFixed,
  isLong = false,
  issue,
  label,
  onText,
  value,
}: TextFieldProps): View => {
  const name = `launch-${id}`
  const described = [hint === undefined ? "" : `${name}-hint`, issue === undefined ? "" : `${name}-issue`]
  const attributes = {
    ...{ id: name, value, disabled: isFixed, autocomplete: "off" },
    ...(inputMode !== undefined && { inputmode: inputMode }),
    "aria-invalid": issue === undefined ? undefined : "true",
    "aria-describedby": described.filter((one) => one !== "").join(" ") || undefined,
    onInput: (event: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onText(event.currentTarget.value),
  }
  return html`<div class="field">
    <label for=${name}>${label}</label>
    ${isLong ? html`<textarea rows="3" ...${attributes}></textarea>` : html`<input type="text" ...${attributes} />`}
    ${hint === undefined ? null : html`<small id=${`${name}-hint`}>${hint}</small>`}
    ${issue === undefined ? null : html`<p class="issue" id=${`${name}-issue`}>${label}: ${issue}</p>`}
  </div>`
}
