import { useState } from "preact/hooks"
import { html, type View } from "./Html.ts"

/** Copies a text, and says so. `what` is for readers of the screen. */
export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }): View => {
  const [said, setSaid] = useState("Copy")
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not allowed"),
    )
  }
  return html`<button type="button" aria-label=${`${said}: ${what}`} onClick=${copy}>${said}</button>`
}
