import type { BuiltLaunch } from "@launch-registry/client"
import { formatDecimal } from "../figures/Format.ts"
import { GetSol } from "../wallet/GetSol.tsx"
import { useWallets } from "../wallet/WalletProvider.tsx"
import styles from "./Launch.module.css"
import { solOf } from "./SolAmount.ts"
import type { KnownCosts } from "./useCosts.ts"

type CostPart = BuiltLaunch["cost"]["parts"][number]

/** Sums of the parts by what they are for, in their order. */
export const summedParts = (parts: ReadonlyArray<CostPart>): ReadonlyArray<readonly [CostPart["item"], bigint]> => {
  const sums = new Map<CostPart["item"], bigint>()
  for (const { item, lamports } of parts) sums.set(item, (sums.get(item) ?? 0n) + BigInt(lamports))
  return [...sums]
}

/** What the launch takes from the wallet, part by part, or what the wallet lacks for it. */
export const CostTable = ({ known: { costs, lacking, problem } }: { readonly known: KnownCosts }) => {
  const { wallet } = useWallets()
  if (lacking !== undefined)
    return (
      <>
        <p className="note" role="status">
          <b>The wallet lacks {solOf(lacking.shortfall)} SOL.</b> It has {solOf(lacking.held)} SOL, and the launch needs{" "}
          {solOf(lacking.required)} SOL.
        </p>
        {wallet !== undefined && <GetSol address={wallet.address} />}
      </>
    )
  if (costs === undefined) return <p className="muted">{problem ?? "Cost: not known yet"}</p>
  const { cost, wallet: funds } = costs
  return (
    <details className={styles.costs}>
      <summary>
        Cost <b title={`${solOf(cost.total)} SOL`}>{formatDecimal(solOf(cost.total).replaceAll(",", ""))} SOL</b>
      </summary>
      <dl>
        {summedParts(cost.parts).map(([item, lamports]) => (
          <div key={item} className={styles.part}>
            <dt>{item.replaceAll("_", " ")}</dt>
            <dd className="small">{solOf(String(lamports))}</dd>
          </div>
        ))}
      </dl>
      <p className="muted small">
        The wallet has {solOf(funds.lamports)} SOL and needs {solOf(funds.required)} SOL while it launches.
      </p>
    </details>
  )
}
