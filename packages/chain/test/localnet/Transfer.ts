import {
  appendTransactionMessageInstruction,
  type Blockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit"
import { getTransferSolInstruction } from "@solana-program/system"

/** A signed transfer of lamports, as it goes over the wire. */
export const transferOf = async (
  source: KeyPairSigner,
  destination: KeyPairSigner["address"],
  amount: bigint,
  latest: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint },
) => {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(source, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
    (live) => appendTransactionMessageInstruction(getTransferSolInstruction({ source, destination, amount }), live),
  )
  return getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message))
}
