import { html, type View } from "../Html.ts"
import { PRIORITIES, type Priority } from "./Draft.ts"
import { editDraft, useLaunch } from "./LaunchStore.ts"
import { TextField } from "./TextField.ts"

const PRIORITY_WORDS: Readonly<Record<Priority, string>> = {
  default: "usual",
  none: "none",
  low: "low: what a quarter pays at most",
  medium: "medium: what half pay at most",
  high: "high: what three quarters pay at most",
}

/** The first buy, and what is paid to be scheduled earlier. */
export const PaymentFields = ({ isFixed }: { readonly isFixed: boolean }): View => {
  const { draft, issues } = useLaunch()
  const onPriority = (event: { readonly currentTarget: HTMLSelectElement }): void =>
    editDraft({ priority: event.currentTarget.value as Priority })
  return html`<section aria-labelledby="launch-payment">
    <h2 id="launch-payment">First buy and fees</h2>
    <${TextField}
      id="firstBuy"
      label="First buy, in SOL"
      hint="Optional: bought by you together with the pool, before anybody else can."
      inputMode="decimal"
      isFixed=${isFixed}
      value=${draft.firstBuy}
      issue=${issues.firstBuy}
      onText=${(text: string) => editDraft({ firstBuy: text })}
    />
    <div class="field">
      <label for="launch-priority">Priority fee</label>
      <select id="launch-priority" value=${draft.priority} disabled=${isFixed} onChange=${onPriority}>
        ${PRIORITIES.map((priority) => html`<option value=${priority}>${PRIORITY_WORDS[priority]}</option>`)}
      </select>
      ${issues.priorityFee === undefined ? null : html`<p class="issue">${issues.priorityFee}</p>`}
    </div>
    <label class="preset">
      <input
        type="checkbox"
        id="launch-poolMetadata"
        checked=${draft.poolMetadata}
        disabled=${isFixed}
        onChange=${(event: { readonly currentTarget: HTMLInputElement }) =>
          editDraft({ poolMetadata: event.currentTarget.checked })}
      />
      <span
        >Publish name, website and image with the pool on the chain as well: it costs rent, shown with the cost.</span
      >
    </label>
  </section>`
}
