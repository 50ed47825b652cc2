import type { Sign } from "@launch-registry/client"

/** A connected account. */
export interface Wallet {
  /** That of the extension. */
  readonly name: string
  /** Base58. */
  readonly address: string
  /** The newest version of transactions that it signs. */
  readonly transactionVersion: 0 | 1
  readonly sign: Sign
  /** Where the wallet can: the signature over the bytes. */
  readonly signMessage?: (message: Uint8Array) => Promise<Uint8Array>
}

/** Name of the wallet of this browser, for local chains alone. */
export const TEST_WALLET = "Test wallet"
