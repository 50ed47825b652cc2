import { useAnswer } from "@launch-registry/client/react"
import { Button } from "../design/Button.tsx"
import { WALLET_POPUP } from "../wallet/WalletButton.tsx"
import { useWallets } from "../wallet/WalletProvider.tsx"
import { issuesOfDraft } from "./LaunchRequest.ts"
import { CostTable } from "./CostTable.tsx"
import { CurveFields } from "./CurveFields.tsx"
import { DetailsFields } from "./DetailsFields.tsx"
import { EMPTY_DRAFT } from "./Draft.ts"
import styles from "./Launch.module.css"
import { launch, startAgain } from "./Launching.ts"
import { launchShown, show, useLaunch } from "./LaunchStore.ts"
import { PaymentFields } from "./PaymentFields.tsx"
import { Preview } from "./Preview.tsx"
import { Said } from "./Said.tsx"
import { useCosts } from "./useCosts.ts"

/** Brings the first field that is wrong or empty to where the user is. */
const showFirstIssue = (): void => {
  const field = document.querySelector<HTMLElement>("main [aria-invalid=true]")
  field?.closest("details")?.setAttribute("open", "")
  field?.scrollIntoView({ block: "center" })
  field?.focus({ preventScroll: true })
}

/** Why launches cannot land on this chain, as the registry's health says, which pages of any origin read; `undefined` where they can. */
const useObstacle = (missing: ReadonlyArray<string> | undefined): string | undefined => {
  const { data } = useAnswer(({ system }) => system.health, {}, { staleTime: 60_000 })
  const [, warned] = data?.data.rpc.detail.match(/launches do not land: (.*)$/) ?? []
  return warned ?? (missing === undefined ? undefined : `the chain lacks ${missing.join(", ")}`)
}

/** What is entered for a launch, beside what it will look like and cost. */
export const LaunchForm = () => {
  const { activity, draft } = useLaunch()
  const { wallet } = useWallets()
  const known = useCosts(wallet)
  const obstacle = useObstacle(known.missingPrograms)
  const isFixed = activity !== undefined && activity !== "Uploading the image"
  const press = async () => {
    const issues = issuesOfDraft(launchShown().draft)
    show({ issues })
    if (wallet !== undefined && Object.keys(issues).length === 0) await launch(wallet, known.costs?.cost.total)
    requestAnimationFrame(showFirstIssue)
  }
  return (
    <>
      <header className={`row ${styles.head}`}>
        <h1>Launch a token</h1>
        {draft !== EMPTY_DRAFT && (
          <Button look="quiet" disabled={activity !== undefined} onClick={startAgain}>
            Clear
          </Button>
        )}
      </header>
      {obstacle !== undefined && (
        <p className={`note ${styles.said}`} role="alert">
          <b>Tokens cannot be launched on this chain yet:</b> {obstacle}.
        </p>
      )}
      <div className={styles.columns}>
        <fieldset className="stack" disabled={isFixed}>
          <legend className="hidden">The token</legend>
          <DetailsFields />
          <CurveFields />
          <PaymentFields quote={known.costs?.quote} />
        </fieldset>
        <div className={`stack ${styles.side}`}>
          <Preview />
          <div className={`stack ${styles.action}`}>
            {wallet !== undefined && <CostTable known={known} />}
            <Said />
            {wallet === undefined ? (
              <Button look="main" isWide popoverTarget={WALLET_POPUP}>
                Connect a wallet to launch
              </Button>
            ) : (
              <Button
                look="main"
                isWide
                disabled={activity !== undefined || obstacle !== undefined}
                onClick={() => void press()}
              >
                {activity === undefined ? "Launch" : `${activity} …`}
              </Button>
            )}
          </div>
        </div>
      </div>
    </>
  )
}
