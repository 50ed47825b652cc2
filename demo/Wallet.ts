import { newKeyPair } from "@launch-registry/chain/build/NewKeyPair"
import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
} from "@solana/kit"

/** A generated wallet. Its key is in memory alone. */
export interface Wallet {
  readonly address: string
  readonly secretKey: Uint8Array
  /** Signs a transaction of the service; both as base64. */
  readonly sign: (transaction: string) => Promise<string>
}

export const newWallet = async (): Promise<Wallet> => {
  const { address, keyPair, secretKey } = await newKeyPair()
  const sign = async (transaction: string) => {
    const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
    return getBase64EncodedWireTransaction(await partiallySignTransaction([keyPair], unsigned))
  }
  return { address, secretKey, sign }
}
