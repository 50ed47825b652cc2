import { useState } from "react"
import { Button } from "../design/Button.tsx"
import { useWallets } from "./WalletProvider.tsx"

/** The wallets that can be connected, each a button. */
export const ConnectButtons = ({ onConnected }: { readonly onConnected?: () => void }) => {
  const { connect, connectable } = useWallets()
  const [said, setSaid] = useState<string>()
  const press = async (name: string) => {
    try {
      await connect(name)
      onConnected?.()
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error))
    }
  }
  if (connectable.length === 0)
    return <p className="muted">No wallet of Solana was found in this browser. Install one, and it appears here.</p>
  return (
    <>
      <ul className="stack">
        {connectable.map(({ icon, name }) => (
          <li key={name}>
            <Button isWide onClick={() => void press(name)}>
              {icon === undefined ? (
                <span aria-hidden="true">⚗</span>
              ) : (
                <img src={icon} alt="" width="24" height="24" />
              )}
              {name}
            </Button>
          </li>
        ))}
      </ul>
      {said !== undefined && <p role="status">{said}</p>}
    </>
  )
}
