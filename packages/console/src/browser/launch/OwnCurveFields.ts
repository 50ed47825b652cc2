import { html, type View } from "../Html.ts"
import { editDraft, useLaunch } from "./LaunchStore.ts"
import { issuesOfFigures, type OwnFigures } from "./OwnCurve.ts"
import { TextField } from "./TextField.ts"

const FIELDS: ReadonlyArray<readonly [name: keyof OwnFigures, label: string, hint: string]> = [
  ["supply", "Supply", "In whole tokens."],
  ["startMarketCap", "Market cap at the start, in SOL", "Price of the first token, times the supply."],
  ["migrationMarketCap", "Market cap at migration, in SOL", "When it is reached, trading goes over to the pool."],
  ["fee", "Fee of a trade, in percent", "From 0.25 to 99. Empty: as the launchpad has it."],
]

/** The figures of a curve of one's own, which the drawing follows as they are entered. */
export const OwnCurveFields = ({ isFixed }: { readonly isFixed: boolean }): View => {
  const { draft, issues } = useLaunch()
  const { own } = draft
  const found = issuesOfFigures(own)
  return html`<div class="own">
    ${FIELDS.map(
      ([name, label, hint]) =>
        html`<${TextField}
          key=${name}
          ...${{ label, hint, isFixed, inputMode: "decimal" }}
          id=${name}
          value=${own[name]}
          issue=${found[name] ?? issues[name]}
          onText=${(text: string) => editDraft({ own: { ...own, [name]: text } })}
        />`,
    )}
  </div>`
}
