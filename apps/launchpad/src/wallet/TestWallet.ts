import { base58 } from "./Base58.ts"
import { signTransaction } from "./SignTransaction.ts"
import { testKeyPair } from "./StoredKey.ts"
import { TEST_WALLET, type Wallet } from "./Wallet.ts"

/** A wallet in this browser, for local chains alone. */
export const testWallet = async (): Promise<Wallet> => {
  const { privateKey, publicKey } = await testKeyPair()
  const address = base58(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)))
  const signMessage = async (message: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, message as Uint8Array<ArrayBuffer>))
  return {
    ...{ name: TEST_WALLET, address, transactionVersion: 1, signMessage },
    sign: (transaction) => signTransaction(transaction as Uint8Array<ArrayBuffer>, address, signMessage),
  }
}
