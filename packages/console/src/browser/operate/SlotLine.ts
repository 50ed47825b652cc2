import { formatWhole } from "../Format.ts"
import { html, type View } from "../Html.ts"
import type { IndexerReport } from "./Reports.ts"
import { slotSegments } from "./SlotSegments.ts"

/** The line, and the same in words. */
export const SlotLine = ({ report }: { readonly report: IndexerReport }): View => {
  const { coverage, gaps } = report
  const segments = slotSegments(coverage, gaps)
  if (segments.length === 0) return html`<p>No slot is proven yet.</p>`
  const first = [...coverage, ...gaps].map(({ fromSlot }) => BigInt(fromSlot)).sort((a, b) => (a < b ? -1 : 1))[0]!
  const last = [...coverage, ...gaps].map(({ toSlot }) => BigInt(toSlot)).sort((a, b) => (a < b ? 1 : -1))[0]!
  const words = gaps.length === 0 ? "without a gap" : `with ${gaps.length} ${gaps.length === 1 ? "gap" : "gaps"}`
  return html`<figure class="slots">
    <svg
      viewBox="0 0 1000 24"
      preserveAspectRatio="none"
      role="img"
      aria-label=${`Slots from ${first} to ${last}, ${words}`}
    >
      ${segments.map(
        ({ from, kind, width }) =>
          html`<rect class=${kind} x=${from} y="0" width=${width} height="24"><title>${kind}</title></rect>`,
      )}
    </svg>
    <figcaption>
      <span>${formatWhole(String(first))}</span><span>proven ${words}</span><span>${formatWhole(String(last))}</span>
    </figcaption>
    ${
      gaps.length === 0
        ? null
        : html`<details>
            <summary>Gaps</summary>
            <ul>
              ${gaps.slice(-20).map(({ fromSlot, toSlot }) => html`<li>${formatWhole(fromSlot)} to ${formatWhole(toSlot)}</li>`)}
            </ul>
          </details>`
    }
  </figure>`
}
