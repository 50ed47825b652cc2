import { useState } from "react"
import { Button } from "../design/Button.tsx"
import { isLaunched, isUnderWay } from "./Draft.ts"
import styles from "./Landing.module.css"
import { discardDraft, useLaunch } from "./LaunchStore.ts"

/** Discards what was entered and what was built, once that was said twice. */
export const StartAgain = () => {
  const { activity, draft } = useLaunch()
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking)
    return (
      <Button look="quiet" disabled={activity !== undefined} onClick={() => setIsAsking(true)}>
        Start again
      </Button>
    )
  return (
    <div className={styles.asked} role="group" aria-label="Start again">
      <p>
        {isUnderWay(draft) && !isLaunched(draft)
          ? `What was sent can still land, and this page will not follow it any more. Its mint is ${draft.build?.mintAddress}.`
          : "What was entered here is discarded."}
      </p>
      <Button
        onClick={() => {
          setIsAsking(false)
          discardDraft()
        }}
      >
        Discard it
      </Button>
      <Button onClick={() => setIsAsking(false)}>Keep it</Button>
    </div>
  )
}
