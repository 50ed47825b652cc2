import {
  appendTransactionMessageInstruction,
  type Blockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionMessage,
  type TransactionVersion,
} from "@solana/kit"
import { getTransferSolInstruction } from "@solana-program/system"

/** Of version 1 with limits: nothing stands in for those that are not set. */
export const emptyMessage = (version: TransactionVersion): TransactionMessage =>
  version === 1
    ? setTransactionMessageConfig(
        { computeUnitLimit: 300_000, loadedAccountsDataSizeLimit: 67_108_864, priorityFeeLamports: 777n },
        createTransactionMessage({ version }),
      )
    : createTransactionMessage({ version })

/** A signed transfer of lamports, as it goes over the wire. */
export const transferOf = async (
  source: KeyPairSigner,
  destination: KeyPairSigner["address"],
  amount: bigint,
  latest: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint },
  version: TransactionVersion = 0,
  complete = (message: TransactionMessage): TransactionMessage => message,
) => {
  const message = pipe(
    complete(
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source, destination, amount }),
        emptyMessage(version),
      ),
    ),
    (empty) => setTransactionMessageFeePayerSigner(source, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
  )
  return getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message))
}
