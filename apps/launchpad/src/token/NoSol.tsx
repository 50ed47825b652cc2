import { NETWORK } from "../registry/Connection.ts"
import { GetSol } from "../wallet/GetSol.tsx"

/** What a wallet without SOL lacks for any swap, and where it gets some on a local chain. */
export const NoSol = ({ address }: { readonly address: string }) => (
  <>
    <p>
      <b>The wallet has no SOL.</b> Fees and new accounts take some, so nothing can be swapped: send SOL of {NETWORK} to
      it first.
    </p>
    <GetSol address={address} />
  </>
)
