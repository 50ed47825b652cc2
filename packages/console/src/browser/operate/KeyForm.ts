import { useRef, useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { hasAdminKey, setAdminKey } from "../Registry.ts"

/** A key for what only operators may read. It is kept in memory alone. */
export const KeyForm = ({ onKey }: { readonly onKey: () => void }): View => {
  const field = useRef<HTMLInputElement>(null)
  const [isSet, setIsSet] = useState(hasAdminKey())
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
