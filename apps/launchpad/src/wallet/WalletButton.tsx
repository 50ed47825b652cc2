import { Button } from "../design/Button.tsx"
import { CopyButton } from "../design/CopyButton.tsx"
import { closePopup, Popup } from "../design/Popup.tsx"
import { shortAddress } from "../figures/Format.ts"
import { hrefOf } from "../routing/Route.ts"
import { ConnectButtons } from "./ConnectButtons.tsx"
import { GetSol } from "./GetSol.tsx"
import { useWallets } from "./WalletProvider.tsx"

/** What a button anywhere opens as its `popoverTarget`, so that a wallet can be connected. */
export const WALLET_POPUP = "wallet"

/** In the header: connects a wallet, says which one is. */
export const WalletButton = () => {
  const { disconnect, wallet } = useWallets()
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
          <ConnectButtons onConnected={() => closePopup(WALLET_POPUP)} />
        </>
      ) : (
        <>
          <h2>{wallet.name}</h2>
          <p>
            <code>{wallet.address}</code> <CopyButton text={wallet.address} what="address" />
          </p>
          <a href={hrefOf(`portfolio/${wallet.address}`)} onClick={() => closePopup(WALLET_POPUP)}>
            Portfolio
          </a>
          <GetSol address={wallet.address} />
          <Button isWide onClick={disconnect}>
            Disconnect
          </Button>
        </>
      )}
    </Popup>
  )
}
