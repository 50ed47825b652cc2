import { type Base64EncodedWireTransaction, createSolanaRpc, generateKeyPairSigner, lamports } from "@solana/kit"
import { type Lifetime, type Signed, signedOf, transfer, unsignedOf } from "./SignedTransfers.ts"

/** A wallet with 100 SOL on the local chain at this URL, as a page would have it. */
export const localWallet = async (url: string) => {
  const rpc = createSolanaRpc(url)
  const wallet = await generateKeyPairSigner()
  await rpc.requestAirdrop(wallet.address, lamports(100_000_000_000n)).send()
  const lifetime = async (): Promise<Lifetime> => (await rpc.getLatestBlockhash().send()).value
  return {
    address: wallet.address as string,
    signTransfer: async (amount: bigint): Promise<Signed> =>
      signedOf(wallet, [transfer(wallet, amount)], await lifetime()),
    unsignedTransfer: async (amount: bigint): Promise<string> =>
      unsignedOf(wallet, [transfer(wallet, amount)], await lifetime()),
    balance: async (address: string): Promise<bigint> => (await rpc.getBalance(address as never).send()).value,
    /** Sends it without the service. */
    send: (transaction: string) =>
      rpc.sendTransaction(transaction as Base64EncodedWireTransaction, { encoding: "base64" }).send(),
  }
}
