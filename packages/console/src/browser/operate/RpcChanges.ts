import type { RpcEndpointChange } from "@launch-registry/client"
import { Ago } from "../Ago.ts"
import { html, type View } from "../Html.ts"

const WORDS: Readonly<Record<RpcEndpointChange["event"], string>> = {
  out_of_use: "went out of use",
  in_use: "is back in use",
  cordoned: "was cordoned",
  uncordoned: "was uncordoned",
  preferred: "became the first choice",
}

const saidOf = ({ detail, endpoint, event }: RpcEndpointChange): string => {
  const what = `${endpoint} ${WORDS[event]}`
  if (detail === null) return what
  return event === "preferred" ? `${what}, after ${detail}` : `${what}: ${detail}`
}

/** What happened to the endpoints, as this replica saw it. */
export const RpcChanges = ({ changes }: { readonly changes: ReadonlyArray<RpcEndpointChange> }): View =>
  html`<h3>Changes</h3>
    ${
      changes.length === 0
        ? html`<p>None since this replica started.</p>`
        : html`<ul class="rows">
            ${changes.map(
              (change) =>
                html`<li key=${`${change.at} ${change.endpoint} ${change.event}`}>
                  <span><${Ago} time=${change.at} />${`: ${saidOf(change)}`}</span>
                </li>`,
            )}
          </ul>`
    }`
