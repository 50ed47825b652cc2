/** What the service says of itself in the page. While the service renders the first view there is none. */

const said = (name: string): string | undefined =>
  globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content

/** `mainnet`, `devnet`, `testnet` or `localnet`. */
export const NETWORK = said("network") ?? "localnet"

/** Where a test wallet is given SOL; a service with a local chain of its own has it. */
export const FAUCET = said("faucet")

/** What wallets sign writes for, where the service asks them to. */
export const SIGN_IN_URL = said("sign-in")

/** Where the service is, below the prefix that the page is below. */
export const SERVICE_URL = new URL(".", globalThis.document?.baseURI ?? "http://localhost/").href
