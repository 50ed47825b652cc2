import { Ago } from "../Ago.ts"
import { Figure } from "../Figures.ts"
import { formatWhole } from "../Format.ts"
import { html, type View } from "../Html.ts"
import type { IndexerReport } from "./Reports.ts"
import { replayInWords } from "./ReplayInWords.ts"
import { SlotLine } from "./SlotLine.ts"

/** What the indexer has, lacks and waits for. */
export const Indexer = ({ report }: { readonly report: IndexerReport }): View => {
  const { deadLetters, dropped, history, inbox, leader, poison, pools, replay, reportedAt, slot, webhook } = report
  const { unprovenSeconds } = report
  return html`<${SlotLine} report=${report} />
    <dl class="figures">
      <${Figure} name="Leader">${leader === null ? "none" : leader.holder}<//>
      <${Figure} name="Indexed slot">${slot === null ? "none yet" : formatWhole(slot)}<//>
      <${Figure} name="Finalized, not proven"
        >${unprovenSeconds === null ? "not known" : `${formatWhole(Math.floor(unprovenSeconds))} s`}<//
      >
      <${Figure} name="Waiting segments">${formatWhole(inbox.pendingSegments)}<//>
      <${Figure} name="Webhook"
        >${webhook === null ? "none" : `${String(webhook.state)}: ${String(webhook.detail ?? "")}`}<//
      >
      <${Figure} name="Dead letters">${formatWhole(deadLetters)}<//>
      <${Figure} name="Poison">${formatWhole(poison)}<//>
      <${Figure} name="Dropped">${formatWhole(dropped)}<//>
      <${Figure} name="Migrated pools"
        >${pools === undefined ? "none yet" : `${String(pools.followed)} followed, ${String(pools.due)} due`}<//
      >
      ${history === undefined ? null : html`<${Figure} name="In ClickHouse up to slot">${history.sentToSlot === null ? "none yet" : formatWhole(history.sentToSlot)}<//>`}
      ${replay === null ? null : html`<${Figure} name="Replay">${replayInWords(replay)}<//>`}
      <${Figure} name="Reported">${reportedAt === null ? "not yet" : html`<${Ago} time=${reportedAt} />`}<//>
    </dl>`
}
