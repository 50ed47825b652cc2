import { useAnswer } from "@launch-registry/client/react"
import { Figure } from "../figures/Figure.tsx"
import { formatBrief, formatShare, shortAddress, wholeAmount } from "../figures/Format.ts"
import { Unread } from "../registry/Unread.tsx"
import styles from "./Lists.module.css"
import { Who } from "./Who.tsx"

const HOLDERS = 50
const EVERY_MILLIS = 60_000

/** Who has most of a launched token, with its pool and its creator by name. */
export const HolderList = ({
  creator,
  decimals,
  mint,
  supply,
}: {
  readonly mint: string
  readonly creator: string | undefined
  readonly decimals: number
  /** In whole tokens; null while not known. */
  readonly supply: string | null
}) => {
  const asked = { mintAddress: mint, include: "balances", limit: HOLDERS } as const
  const holders = useAnswer(({ tokens }) => tokens.holders, asked, { refetchInterval: EVERY_MILLIS })
  const pools = useAnswer(({ launch }) => launch.poolState, { mintAddress: mint }, { refetchInterval: EVERY_MILLIS })
  if (holders.data === undefined)
    return (
      <Unread error={holders.error} onRetry={holders.refetch}>
        Reading holders
      </Unread>
    )
  const rows = holders.data.data.filter((holder) => typeof holder !== "string")
  const state = pools.data?.data
  const pool = state?.migratedPool ?? state
  const line = (amount: string, share: number | undefined) => (
    <>
      <td className={styles.mid}>
        <Figure value={wholeAmount(amount, decimals)} format={formatBrief} />
      </td>
      <td>{share === undefined ? "–" : formatShare(share)}</td>
    </>
  )
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Holders">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">Wallet</th>
            <th scope="col" className={styles.mid}>
              Tokens
            </th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {pool !== undefined && (
            <tr>
              <td>–</td>
              <td title={pool.pool}>
                <b>{state?.migratedPool === null ? "Curve" : "Pool"}</b>{" "}
                <code className="muted">{shortAddress(pool.pool)}</code>
              </td>
              {line(
                pool.baseReserve,
                supply === null ? undefined : Number(wholeAmount(pool.baseReserve, decimals)) / Number(supply),
              )}
            </tr>
          )}
          {rows.map(({ address, amount, share }, index) => (
            <tr key={address}>
              <td className="muted">{index + 1}</td>
              <td>
                <Who address={address} creator={creator} />
              </td>
              {line(amount, share)}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="empty">Nobody holds it yet, but its pool.</p>}
    </div>
  )
}
