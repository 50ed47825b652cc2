import { CopyButton } from "../CopyButton.ts"
import { html, type View } from "../Html.ts"
import { commandsFor } from "./IndexerCommands.ts"
import type { IndexerReport } from "./Reports.ts"

/** Commands with what is to be done now; they need the database, so they are run beside the service. */
export const Commands = ({ report }: { readonly report: IndexerReport }): View =>
  html`<details>
    <summary>The same from a shell beside the service</summary>
    <ul class="rows">
      ${commandsFor(report).map(
        (command) =>
          html`<li key=${command.text}>
            <span>${command.purpose}<br /><code>${command.text}</code></span>
            <${CopyButton} text=${command.text} what=${command.purpose} />
          </li>`,
      )}
    </ul>
  </details>`
