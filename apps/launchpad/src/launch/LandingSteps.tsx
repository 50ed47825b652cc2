import { CopyButton } from "../design/CopyButton.tsx"
import { type BuiltStep, hasLanded, isLaunched } from "./Draft.ts"
import styles from "./Landing.module.css"
import { useLaunch } from "./LaunchStore.ts"

const PURPOSES: Readonly<Record<string, string>> = {
  config: "Curve",
  pool: "Token and pool",
  first_buy: "first buy",
  pool_metadata: "metadata of the pool",
}

const STATES: Readonly<Record<string, string>> = {
  pending: "Sent, waits for the network",
  processed: "In a block, not confirmed yet",
  confirmed: "Confirmed",
  finalized: "Finalized",
  failed: "Failed",
  expired: "Did not land",
}

const stateWords = ({ signature, state }: BuiltStep): string => {
  if (signature === null) return "Waits for your signature"
  return state === null ? "Signed" : (STATES[state] ?? state)
}

/** The transactions of a launch and the registration, each with how far it is. */
export const LandingSteps = () => {
  const { activity, draft } = useLaunch()
  const { build, isRegistered } = draft
  const registration = isRegistered ? "Done" : activity === "registering" ? "On its way" : "When it is launched"
  const next = build?.steps.findIndex((step) => !hasLanded(step))
  return (
    <ol className={styles.steps} role="status">
      {build?.steps.map((step, index) => (
        <li key={step.transaction} data-state={hasLanded(step) ? "done" : index === next ? "next" : "later"}>
          <b>{step.purposes.map((purpose) => PURPOSES[purpose] ?? purpose).join(", ")}</b>
          <span className="muted">
            {stateWords(step)}
            {step.signature !== null && <CopyButton text={step.signature} what="signature" />}
          </span>
        </li>
      ))}
      <li data-state={isRegistered ? "done" : isLaunched(draft) ? "next" : "later"}>
        <b>Listed on the board</b>
        <span className="muted">{registration}</span>
      </li>
    </ol>
  )
}
