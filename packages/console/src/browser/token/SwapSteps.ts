import { shortAddress } from "../Format.ts"
import { html, type View } from "../Html.ts"
import type { SwapState } from "./SwapRun.ts"

const STEPS = ["Build", "Sign in the wallet", "Sent", "Processed", "Confirmed"] as const

/** How many of the steps are done, and which one goes on. */
const progressOf = (state: SwapState): number => {
  switch (state.step) {
    case "building":
      return 0
    case "signing":
      return 1
    case "landing":
      return state.submission === undefined ? 2 : state.submission.state === "processed" ? 4 : 3
    case "landed":
      return STEPS.length
    default:
      return -1
  }
}

const signatureOf = (state: SwapState): string | undefined => {
  if (state.step === "landing" || state.step === "landed") return state.submission?.signature
  return state.step === "failed" || state.step === "unknown" ? state.signature : undefined
}

const Transaction = ({ signature }: { readonly signature: string | undefined }): View =>
  signature === undefined
    ? null
    : html`<p class="detail">Transaction <code title=${signature}>${shortAddress(signature)}</code></p>`

/** Where a swap is, each step by its name. */
export const SwapSteps = ({
  onLook,
  state,
}: {
  readonly state: SwapState
  readonly onLook: (signature: string) => void
}): View => {
  const signature = signatureOf(state)
  if (state.step === "failed")
    return html`<div class="outcome bad" role="alert">
      ${state.reasons.map((reason) => html`<p>${reason}</p>`)}
      <${Transaction} signature=${signature} />
    </div>`
  if (state.step === "unknown")
    return html`<div class="outcome warn" role="alert">
      <p><b>It may still land.</b> ${state.reason} Do not swap again before you know.</p>
      <${Transaction} signature=${signature} />
      ${
        signature === undefined
          ? null
          : html`<button type="button" onClick=${() => onLook(signature)}>Look again</button>`
      }
    </div>`
  const done = progressOf(state)
  return html`<div class="outcome" role="status">
    <ol class="steps">
      ${STEPS.map((name, index) => {
        const kind = index < done ? "done" : index === done ? "now" : "next"
        return html`<li class=${kind} aria-current=${kind === "now" ? "step" : undefined}>
          ${name}${kind === "done" ? html` <span class="badge well">done</span>` : kind === "now" ? " …" : null}
        </li>`
      })}
    </ol>
    <${Transaction} signature=${signature} />
  </div>`
}
