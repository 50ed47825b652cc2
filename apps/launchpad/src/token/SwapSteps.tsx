import { shortAddress } from "../figures/Format.ts"
import { explorerOf } from "./Explorer.ts"
import styles from "./Swap.module.css"
import type { SwapState } from "./SwapRun.ts"

/** What is under way in each state, in their order. */
const STEPS: ReadonlyArray<readonly [SwapState["step"], string]> = [
  ["building", "Build"],
  ["signing", "Sign in the wallet"],
  ["sending", "Send"],
  ["pending", "Processed"],
  ["processed", "Confirmed"],
  ["confirmed", "Finalized"],
]

/** Where a swap is, from its signature until it is finalized. */
export const SwapSteps = ({ state: { reasons = [], signature, step } }: { readonly state: SwapState }) => {
  const transaction = signature !== undefined && (
    <p className="muted">
      Transaction{" "}
      <a href={explorerOf("tx", signature)} title={signature} rel="noopener noreferrer" target="_blank">
        <code>{shortAddress(signature)}</code>
      </a>
    </p>
  )
  if (step === "failed" || step === "unknown")
    return (
      <div className={`stack ${styles.outcome} ${styles.bad}`} role="alert">
        {step === "unknown" && (
          <p>
            <b>It may still land.</b> Do not swap again before you know: the list of trades shows it.
          </p>
        )}
        {reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        {transaction}
      </div>
    )
  const at = STEPS.findIndex(([one]) => one === step)
  const done = at === -1 ? STEPS.length : at
  return (
    <div className={`stack ${styles.outcome}`} data-state={step} data-signature={signature}>
      <p role="status">
        <b>{step === "confirmed" || step === "finalized" ? "It is swapped" : `${STEPS[done]![1]} …`}</b>
      </p>
      <ol className={styles.steps}>
        {STEPS.map(([, name], index) => (
          <li key={name} className={index < done ? "up" : ""} aria-current={index === done ? "step" : undefined}>
            <span aria-hidden="true">{index < done ? "✓ " : index === done ? "… " : ""}</span>
            {name}
            {index < done && <span className="hidden"> done</span>}
          </li>
        ))}
      </ol>
      {transaction}
    </div>
  )
}
