import { ConnectButtons } from "../wallet/ConnectButtons.tsx"
import { useWallets } from "../wallet/WalletProvider.tsx"
import styles from "./Portfolio.module.css"
import { WalletPage } from "./WalletPage.tsx"

/** What a wallet has: the connected one, or that of the address. */
const Portfolio = ({ address }: { readonly address: string | undefined }) => {
  const { wallet } = useWallets()
  const shown = address ?? wallet?.address
  if (shown !== undefined) return <WalletPage key={shown} address={shown} />
  return (
    <div className={`stack ${styles.connect}`}>
      <h1>Portfolio</h1>
      <p className="muted">
        Connect a wallet to see what it holds, has launched and traded, and the fees that it can claim.
      </p>
      <ConnectButtons />
    </div>
  )
}
export default Portfolio
