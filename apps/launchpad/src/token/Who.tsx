import { shortAddress } from "../figures/Format.ts"
import { hrefOf } from "../routing/Route.ts"
import { useWallets } from "../wallet/WalletProvider.tsx"

/** A wallet, and who it is where that is known; leads to what it holds. */
export const Who = ({ address, creator }: { readonly address: string; readonly creator?: string | undefined }) => {
  const { wallet } = useWallets()
  return (
    <a href={hrefOf(`portfolio/${address}`)} title={address}>
      <code>{shortAddress(address)}</code>
      {address === wallet?.address && <b className="badge">You</b>}
      {address === creator && <b className="badge">Creator</b>}
    </a>
  )
}
