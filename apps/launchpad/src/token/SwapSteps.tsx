import { shortAddress } from "../figures/Format.ts"
import { explorerOf } from "./Explorer.ts"
import styles from "./Swap.module.css"
import type { SwapState } from "./SwapRun.ts"

const STEPS = ["Build", "Sign in the wallet", "Sent", "Processed", "Confirmed", "Finalized"] as const

/** How many of the steps are done. */
const doneOf = (state: SwapState): number => {
  switch (state.step) {
    case "signing":
      return 1
    case "landing":
      return state.submission === undefined ? 2 : state.submission.state === "processed" ? 4 : 3
    case "landed":
      return state.submission.state === "finalized" ? STEPS.length : STEPS.length - 1
    default:
      return 0
  }
}

const signatureOf = (state: SwapState): string | undefined => {
  if (state.step === "landing" || state.step === "landed") return state.submission?.signature
  return state.step === "failed" || state.step === "unknown" ? state.signature : undefined
}

/** Where a swap is, from its signature until it is finalized. */
export const SwapSteps = ({ state }: { readonly state: SwapState }) => {
  const signature = signatureOf(state)
  const transaction = signature !== undefined && (
    <p className="muted">
      Transaction{" "}
      <a href={explorerOf("tx", signature)} title={signature} rel="noopener noreferrer" target="_blank">
        <code>{shortAddress(signature)}</code>
      </a>
    </p>
  )
  if (state.step === "failed" || state.step === "unknown")
    return (
      <div className={`${styles.outcome} ${styles.bad}`} role="alert">
        {state.step === "failed" ? (
          state.reasons.map((reason) => <p key={reason}>{reason}</p>)
        ) : (
          <p>
            <b>It may still land.</b> {state.reason} Do not swap again before you know: the list of trades shows it.
          </p>
        )}
        {transaction}
      </div>
    )
  const done = doneOf(state)
  return (
    <div className={styles.outcome} data-state={state.step} data-signature={signature}>
      <p role="status">
        <b>{state.step === "landed" ? "It is swapped" : `${STEPS[done]} …`}</b>
      </p>
      <ol className={styles.steps}>
        {STEPS.map((name, index) => (
          <li key={name} className={index < done ? styles.done : ""} aria-current={index === done ? "step" : undefined}>
            <span aria-hidden="true">{index < done ? "✓" : index === done ? "…" : ""}</span>
            {name}
            {index < done && <span className="hidden"> done</span>}
          </li>
        ))}
      </ol>
      {transaction}
    </div>
  )
}
