import { useAnswer } from "@launch-registry/client/react"
import { useEffect } from "react"
import { Button } from "../design/Button.tsx"
import { Failed } from "../registry/Failed.tsx"
import { WALLET_POPUP } from "../wallet/WalletButton.tsx"
import { useWallets } from "../wallet/WalletProvider.tsx"
import { issuesOfDraft } from "./BuildLaunch.ts"
import { CostTable } from "./CostTable.tsx"
import { CurveFields } from "./CurveFields.tsx"
import { DetailsFields } from "./DetailsFields.tsx"
import { isLaunched, isUnderWay } from "./Draft.ts"
import { Landing } from "./Landing.tsx"
import styles from "./Launch.module.css"
import { goOnByItself, launch } from "./Launching.ts"
import { type Activity, launchShown, show, useLaunch } from "./LaunchStore.ts"
import { PaymentFields } from "./PaymentFields.tsx"
import { Preview } from "./Preview.tsx"
import { StartAgain } from "./StartAgain.tsx"
import { useCosts } from "./useCosts.ts"

const ACTIVITIES: Readonly<Record<Activity, string>> = {
  checking: "Checking",
  uploading: "Uploading the image",
  saving: "Storing the metadata",
  building: "Building the transactions",
  landing: "Sign in your wallet",
  registering: "Listing the token",
}

/** Brings the first field that is wrong or empty to where the user is. */
const showFirstIssue = (): void => {
  const field = document.querySelector<HTMLElement>("[data-launch] [aria-invalid=true]")
  field?.closest("details")?.setAttribute("open", "")
  field?.scrollIntoView({ block: "center" })
  field?.focus({ preventScroll: true })
}

/** Why launches cannot land on this chain, as the registry warns; `undefined` where they can. */
const useObstacle = (missing: ReadonlyArray<string> | undefined): string | undefined => {
  const { data } = useAnswer(({ system }) => system.ready, {}, { staleTime: 60_000 })
  const warning = data?.data.warnings.find((text) => text.startsWith("Launches: "))
  if (warning !== undefined) return warning.slice("Launches: ".length)
  return missing === undefined ? undefined : `the chain lacks ${missing.join(", ")}`
}

const Form = () => {
  const { activity, failure, issues, notice } = useLaunch()
  const { wallet } = useWallets()
  const known = useCosts(wallet)
  const obstacle = useObstacle(known.missingPrograms)
  const isBusy = activity !== undefined
  const isFixed = isBusy && activity !== "uploading"
  const press = async () => {
    const found = issuesOfDraft(launchShown().draft)
    show({ issues: found })
    if (wallet !== undefined && Object.keys(found).length === 0) await launch(wallet, known.costs?.cost.total)
    requestAnimationFrame(showFirstIssue)
  }
  return (
    <>
      <header className={styles.head}>
        <h1>Launch a token</h1>
        <StartAgain />
      </header>
      {obstacle !== undefined && (
        <p className={styles.obstacle} role="alert">
          <b>Tokens cannot be launched on this chain yet.</b> {obstacle}.
        </p>
      )}
      <div className={styles.columns} data-launch="">
        <fieldset className={styles.form} disabled={isFixed}>
          <legend className="hidden">The token</legend>
          <DetailsFields />
          <CurveFields />
          <PaymentFields quote={known.costs?.quote} />
        </fieldset>
        <div className={styles.side}>
          <Preview />
          <div className={styles.action}>
            <CostTable known={known} />
            {issues[""] !== undefined && <p role="alert">{issues[""]}</p>}
            {notice !== undefined && <p role="status">{notice.replace(/\.$/, "")}.</p>}
            {failure !== undefined && <Failed error={failure} />}
            {wallet === undefined ? (
              <Button look="main" isWide popoverTarget={WALLET_POPUP}>
                Connect a wallet to launch
              </Button>
            ) : (
              <Button look="main" isWide disabled={isBusy || obstacle !== undefined} onClick={() => void press()}>
                {activity === undefined ? "Launch" : `${ACTIVITIES[activity]} …`}
              </Button>
            )}
          </div>
        </div>
      </div>
    </>
  )
}

/** A token is launched: image, details, curve, first buy, cost, signature, registration. */
const Launch = () => {
  const { draft, failure, isKept, notice } = useLaunch()
  const { wallet } = useWallets()
  // A registry that wants wallets to sign writes takes the registration once there is one.
  useEffect(goOnByItself, [wallet?.address])
  return (
    <>
      {!isKept && (
        <p className={styles.obstacle} role="status">
          This browser stores nothing: keep this page open until the token is launched.
        </p>
      )}
      {isUnderWay(draft) ? (
        <>
          <Landing />
          <div className={styles.after}>
            {notice !== undefined && <p role="status">{notice.replace(/\.$/, "")}.</p>}
            {failure !== undefined && <Failed error={failure} />}
            {!(isLaunched(draft) && draft.isRegistered) && <StartAgain />}
          </div>
        </>
      ) : (
        <Form />
      )}
    </>
  )
}

export default Launch
