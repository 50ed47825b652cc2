import { useState } from "react"
import { Button } from "../design/Button.tsx"
import { useWallets } from "../wallet/WalletProvider.tsx"

/** Wallets to connect, where one is needed to go on. */
export const ConnectFirst = () => {
  const { connect, connectable } = useWallets()
  const [said, setSaid] = useState<string>()
  if (connectable.length === 0) return <p className="muted">Install a wallet of Solana to swap.</p>
  return (
    <>
      {connectable.map(({ name }) => (
        <Button
          key={name}
          isWide
          look="main"
          onClick={() => {
            connect(name).catch((error: unknown) => setSaid(error instanceof Error ? error.message : String(error)))
          }}
        >
          Connect {name}
        </Button>
      ))}
      {said !== undefined && <p role="status">{said}</p>}
    </>
  )
}
