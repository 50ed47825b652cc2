import { Button } from "../design/Button.tsx"
import buttons from "../design/Button.module.css"
import { CopyButton } from "../design/CopyButton.tsx"
import { TokenImage } from "../design/TokenImage.tsx"
import { hrefOf } from "../routing/Route.ts"
import { useWallets } from "../wallet/WalletProvider.tsx"
import { type BuiltStep, hasLanded, isLaunched } from "./Draft.ts"
import form from "./Form.module.css"
import styles from "./Launch.module.css"
import { goOn, startAgain } from "./Launching.ts"
import { discardDraft, useLaunch } from "./LaunchStore.ts"
import { Said } from "./Said.tsx"
import { Share } from "./Share.tsx"

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
const Steps = () => {
  const { activity, draft } = useLaunch()
  const { build, isRegistered } = draft
  const steps = build?.steps ?? []
  const next = steps.findIndex((step) => !hasLanded(step))
  const placeOf = (index: number) => (index === next ? "next" : next === -1 || index < next ? "done" : "later")
  return (
    <ol className={`stack ${styles.steps}`}>
      {steps.map((step, index) => (
        <li key={step.purposes.join(" ")} data-state={placeOf(index)}>
          <b>{step.purposes.join(", ").replaceAll("_", " ")}</b>
          <span className="muted">
            {stateWords(step)}
            {step.signature !== null && <CopyButton text={step.signature} what="signature" />}
          </span>
        </li>
      ))}
      <li data-state={isRegistered ? "done" : next === -1 ? "next" : "later"}>
        <b>listed on the board</b>
        <span className="muted">
          {isRegistered ? "Done" : activity === "Listing the token" ? "On its way" : "When it is launched"}
        </span>
      </li>
    </ol>
  )
}

/** A launch that the wallet has signed, in part or whole: how far it is, how it goes on, and the token once it is there. */
export const Landing = () => {
  const { activity, draft } = useLaunch()
  const { wallet } = useWallets()
  const { build, details, isRegistered, picture } = draft
  if (build === null) return null
  const { mintAddress: mint } = build
  const isThere = isLaunched(draft)
  return (
    <section className={`surface stack ${form.section} ${styles.landing}`} aria-labelledby="launch-landing">
      <TokenImage imageUri={picture?.preview} mint={mint} symbol={details.symbol} size="l" />
      <h1 id="launch-landing">{isThere ? `${details.name} is live` : `Launching ${details.name}`}</h1>
      <div role="status">
        <Steps />
      </div>
      <Said />
      {isThere && (
        <>
          <a className={`${buttons.button} ${buttons.main} ${buttons.wide}`} href={hrefOf(`token/${mint}`)}>
            Open {details.symbol}
          </a>
          <Share mint={mint} symbol={details.symbol} />
        </>
      )}
      {isThere && isRegistered ? (
        <Button look="quiet" onClick={discardDraft}>
          Launch another token
        </Button>
      ) : (
        <>
          {activity === undefined ? (
            <Button look="main" isWide onClick={() => void goOn(isThere ? undefined : wallet)}>
              Go on
            </Button>
          ) : (
            <p className="muted">{activity} …</p>
          )}
          <Button look="quiet" disabled={activity !== undefined} onClick={startAgain}>
            Start again
          </Button>
        </>
      )}
    </section>
  )
}
