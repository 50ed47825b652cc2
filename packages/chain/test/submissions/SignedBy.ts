import type { webcrypto } from "node:crypto"
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget"
import {
  appendTransactionMessageInstructions,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  partiallySignTransaction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionMessageWithBlockhashLifetime,
} from "@solana/kit"

const decoded = (transaction: string) => getTransactionDecoder().decode(getBase64Encoder().encode(transaction))

/** Signs a built transaction as the wallet would. */
export const signedBy = async (wallet: webcrypto.CryptoKeyPair, transaction: string): Promise<string> =>
  getBase64EncodedWireTransaction(await partiallySignTransaction([wallet], decoded(transaction)))

/** Signs the instructions of a built transaction as one of version 1, which has its limits and its fee in the message. */
export const signedAsVersion1 = async (
  wallet: webcrypto.CryptoKeyPair,
  { computeUnitLimit, priorityFeeLamports, transaction }: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const compiled = getCompiledTransactionMessageDecoder().decode(decoded(String(transaction)).messageBytes)
  const built = decompileTransactionMessage(
    compiled as CompiledTransactionMessage & CompiledTransactionMessageWithLifetime,
  )
  const { lifetimeConstraint } = built as unknown as TransactionMessageWithBlockhashLifetime
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) =>
      setTransactionMessageConfig(
        {
          computeUnitLimit: Number(computeUnitLimit),
          loadedAccountsDataSizeLimit: 67_108_864,
          priorityFeeLamports: BigInt(String(priorityFeeLamports)),
        },
        empty,
      ),
    (limited) => setTransactionMessageFeePayer(built.feePayer.address, limited),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetimeConstraint, paid),
    (live) =>
      appendTransactionMessageInstructions(
        built.instructions.filter(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS),
        live,
      ),
  )
  return getBase64EncodedWireTransaction(await partiallySignTransaction([wallet], compileTransaction(message)))
}
