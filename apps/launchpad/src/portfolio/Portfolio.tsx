import { Button } from "../design/Button.tsx"
import { useWallets } from "../wallet/WalletProvider.tsx"
import styles from "./Portfolio.module.css"
import { WalletPage } from "./WalletPage.tsx"

/** What a wallet has: the connected one, or that of the address. */
const Portfolio = ({ address }: { readonly address: string | undefined }) => {
  const { connect, connectable, wallet } = useWallets()
  const shown = address ?? wallet?.address
  if (shown !== undefined) return <WalletPage key={shown} address={shown} />
  return (
    <div className={styles.connect}>
      <h1>Portfolio</h1>
      <p className="muted">What your wallet holds, has launched and traded, and the fees that it can claim.</p>
      {connectable.length === 0 && (
        <p>No wallet of Solana was found in this browser. Install one, and it appears here.</p>
      )}
      {connectable.map(({ name }, index) => (
        // Who refuses is asked again.
        <Button
          key={name}
          look={index === 0 ? "main" : "plain"}
          isWide
          onClick={() => void connect(name).catch(() => undefined)}
        >
          Connect {name}
        </Button>
      ))}
    </div>
  )
}

export default Portfolio
