import { useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { type Command, commandsFor } from "./IndexerCommands.ts"
import type { IndexerReport } from "./Reports.ts"

const CommandView = ({ command: { purpose, text } }: { readonly command: Command }): View => {
  const [said, setSaid] = useState("Copy")
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not allowed"),
    )
  }
  return html`<li>
    <span>${purpose}<br /><code>${text}</code></span>
    <button aria-label=${`${said}: ${text}`} onClick=${copy}>${said}</button>
  </li>`
}

/** Commands with what is to be done now; they need the database, so they are run beside the service. */
export const Commands = ({ report }: { readonly report: IndexerReport }): View =>
  html`<ul class="rows">
    ${commandsFor(report).map((command) => html`<${CommandView} key=${command.text} command=${command} />`)}
  </ul>`
