import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "../design/Button.tsx"
import type { Wallet } from "../wallet/Wallet.ts"
import { Amounts } from "./Amounts.tsx"
import { landClaims } from "./LandClaims.ts"
import styles from "./Portfolio.module.css"
import { type Claim, sumsOf } from "./Worth.ts"

/** What a wallet can claim, and for the connected one the button that claims all of it. */
export const ClaimFees = ({
  claims,
  wallet,
}: {
  readonly claims: ReadonlyArray<Claim>
  /** It signs; undefined for the wallet of somebody else. */
  readonly wallet: Wallet | undefined
}) => {
  const queries = useQueryClient()
  const [said, setSaid] = useState<{ readonly text: string; readonly isBad?: boolean }>()
  const [isRunning, setIsRunning] = useState(false)
  const claim = async (signer: Wallet) => {
    setIsRunning(true)
    const failure = await landClaims(claims, signer, (text) => setSaid({ text }))
    setSaid(failure === undefined ? { text: "All fees are claimed." } : { text: failure, isBad: true })
    setIsRunning(false)
    await queries.invalidateQueries()
  }
  return (
    <div className={`surface stack ${styles.tile}`}>
      <h2 className="muted">Fees to claim</h2>
      <p className={styles.sum}>
        <Amounts of={sumsOf(claims.flatMap(({ amounts }) => amounts))} />
      </p>
      {claims.length > 0 ? (
        <details>
          <summary>
            Of {claims.length} {claims.length === 1 ? "token" : "tokens"}
          </summary>
          <ul>
            {claims.map(({ amounts, mint, symbol }) => (
              <li key={mint}>
                <b dir="auto">{symbol}</b> <Amounts of={amounts} />
              </li>
            ))}
          </ul>
          <p className="muted">Fees of positions in graduated pools come with a claim, and are not counted here.</p>
        </details>
      ) : (
        <p className="muted">Creators earn a share of each trade</p>
      )}
      {wallet !== undefined && claims.length > 0 && (
        <Button look="main" disabled={isRunning} onClick={() => void claim(wallet)}>
          Claim all
        </Button>
      )}
      {said !== undefined && (
        <p role={said.isBad ? "alert" : "status"} className={said.isBad ? "down" : undefined}>
          {said.text}
        </p>
      )}
    </div>
  )
}
