import { useEffect } from "react"
import { useWallets } from "../wallet/WalletProvider.tsx"
import { isUnderWay } from "./Draft.ts"
import { Landing } from "./Landing.tsx"
import styles from "./Launch.module.css"
import { LaunchForm } from "./LaunchForm.tsx"
import { goOnByItself } from "./Launching.ts"
import { useLaunch } from "./LaunchStore.ts"

/** A token is launched: image, details, curve, first buy, cost, signature, registration. */
const Launch = () => {
  const { draft, isKept } = useLaunch()
  const { wallet } = useWallets()
  // A registry that wants wallets to sign writes takes the registration once there is one.
  useEffect(goOnByItself, [wallet?.address])
  return (
    <>
      {!isKept && (
        <p className={`note ${styles.said}`} role="status">
          This browser stores nothing: keep this page open until the token is launched.
        </p>
      )}
      {isUnderWay(draft) ? <Landing /> : <LaunchForm />}
    </>
  )
}

export default Launch
