import type { webcrypto } from "node:crypto"
import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
} from "@solana/kit"

/** Signs a built transaction as the wallet would. */
export const signedBy = async (wallet: webcrypto.CryptoKeyPair, transaction: string): Promise<string> => {
  const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  return getBase64EncodedWireTransaction(await partiallySignTransaction([wallet], decoded))
}
