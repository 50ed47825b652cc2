import { connect, walletHeaders } from "@launch-registry/client"
import { brand } from "../../brand.ts"

/** Where the registry is: that of the brand, or the host and folder above the one that serves this page. */
export const REGISTRY_URL = brand.registry === "" ? new URL(".", document.baseURI).href : brand.registry

/** Whether the registry serves this page: what operators read is for no page of another origin. */
export const IS_SERVED_BY_REGISTRY = new URL(REGISTRY_URL).origin === location.origin

const said = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content

/** What wallets sign writes for, where the registry asks them to. */
const SIGN_IN_URL = said("sign-in")

/** Whether each write takes a signature of the wallet. */
export const SIGNS_WRITES = SIGN_IN_URL !== undefined

/** `mainnet`, `devnet`, `testnet` or `localnet`. */
export const NETWORK = said("network") ?? brand.network

/** Path that gives SOL of a local chain, where there is one. */
export const FAUCET = said("faucet") ?? (NETWORK === "localnet" ? "console/faucet" : undefined)

/** A wallet that can sign text. */
interface Signer {
  readonly address: string
  readonly signMessage: (message: Uint8Array) => Promise<Uint8Array>
}

let signer: Signer | undefined

/** From now on writes are signed by this wallet, where the registry wants that. */
export const signWritesBy = (wallet: Signer | undefined): void => {
  signer = wallet
}

/** Operations that take no credentials although they are POSTs. */
const OPEN = ["/api/launch/quote"]

export const registry = connect({
  baseUrl: REGISTRY_URL,
  headers: async (request) =>
    SIGN_IN_URL === undefined || signer === undefined || OPEN.includes(request.path)
      ? {}
      : walletHeaders({ url: SIGN_IN_URL, network: NETWORK }, signer)(request),
})
