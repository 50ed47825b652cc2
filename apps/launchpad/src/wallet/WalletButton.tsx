import { useState } from "react"
import { Button } from "../design/Button.tsx"
import { CopyButton } from "../design/CopyButton.tsx"
import { closePopup, Popup } from "../design/Popup.tsx"
import { shortAddress } from "../figures/Format.ts"
import { FAUCET } from "../registry/Connection.ts"
import { hrefOf } from "../routing/Route.ts"
import { fill } from "./Faucet.ts"
import { useWallets } from "./WalletProvider.tsx"
import styles from "./WalletButton.module.css"

/** What a button anywhere opens as its `popoverTarget`, so that a wallet can be connected. */
export const WALLET_POPUP = "wallet"

/** In the header: connects a wallet, says which one is. */
export const WalletButton = () => {
  const { connect, connectable, disconnect, wallet } = useWallets()
  const [said, setSaid] = useState<string>()
  const attempt = async (work: () => Promise<string | undefined>) => {
    try {
      setSaid(await work())
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Popup
      id={WALLET_POPUP}
      label="Wallet"
      trigger={
        <>
          {wallet === undefined ? "Connect" : shortAddress(wallet.address)}
          <span className="hidden"> wallet</span>
        </>
      }
      look={wallet === undefined ? "main" : "plain"}
    >
      {wallet === undefined ? (
        <>
          <h2>Connect a wallet</h2>
          {connectable.length === 0 && (
            <p className="muted">No wallet of Solana was found in this browser. Install one, and it appears here.</p>
          )}
          <ul className={styles.list}>
            {connectable.map(({ icon, name }) => (
              <li key={name}>
                <Button
                  isWide
                  className={styles.wallet!}
                  onClick={() =>
                    void attempt(async () => {
                      await connect(name)
                      closePopup(WALLET_POPUP)
                      return undefined
                    })
                  }
                >
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
        </>
      ) : (
        <>
          <h2>{wallet.name}</h2>
          <p className={styles.address}>
            <code>{wallet.address}</code> <CopyButton text={wallet.address} what="address" />
          </p>
          <a href={hrefOf(`portfolio/${wallet.address}`)} onClick={() => closePopup(WALLET_POPUP)}>
            Portfolio
          </a>
          {FAUCET !== undefined && (
            <Button isWide onClick={() => void attempt(() => fill(wallet.address))}>
              Get 10 SOL
            </Button>
          )}
          <Button isWide onClick={disconnect}>
            Disconnect
          </Button>
        </>
      )}
      {said !== undefined && <p role="status">{said}</p>}
    </Popup>
  )
}
