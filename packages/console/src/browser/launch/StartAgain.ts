import { useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { isLaunched, isUnderWay } from "./Draft.ts"
import { discardDraft, useLaunch } from "./LaunchStore.ts"

/** Discards what was entered and what was built, once that was said twice. */
export const StartAgain = (): View => {
  const { activity, draft } = useLaunch()
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking)
    return html`<button type="button" disabled=${activity !== undefined} onClick=${() => setIsAsking(true)}>
      Start again
    </button>`
  const discard = (): void => {
    setIsAsking(false)
    discardDraft()
  }
  const isOpen = isUnderWay(draft) && !isLaunched(draft)
  return html`<div class="asked" role="group" aria-label="Start again">
    <p>
      ${
        isOpen
          ? html`What was sent can still land, and this page will not follow it any more. The token's mint is
            ${" "}<code>${draft.build?.mintAddress}</code>.`
          : "What was entered here is discarded. What is stored and launched stays."
      }
    </p>
    <button type="button" onClick=${discard}>Discard and start again</button>
    <button type="button" onClick=${() => setIsAsking(false)}>Keep it</button>
  </div>`
}
