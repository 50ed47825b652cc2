import type { webcrypto } from "node:crypto"
import { assert } from "@effect/vitest"
import { getTransferSolInstruction } from "@solana-program/system"
import {
  type Address,
  appendTransactionMessageInstruction,
  createSignerFromKeyPair,
  createTransactionMessage,
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type Signature,
  signTransactionMessageWithSigners,
} from "@solana/kit"
import { Effect } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"

/** Signs as the wallet would (or several keys), sends, and asserts that it landed; returns the signature. */
export const signAndSend = Effect.fn(function* (
  wallet: webcrypto.CryptoKeyPair | ReadonlyArray<webcrypto.CryptoKeyPair>,
  transaction: string,
) {
  const rpc = yield* Rpc
  const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  const signed = yield* Effect.promise(() => partiallySignTransaction([wallet].flat(), decoded))
  const wire = getBase64EncodedWireTransaction(signed) as Base64EncodedWireTransaction
  const signature = yield* rpc.call((kit) => kit.sendTransaction(wire, { encoding: "base64" }))
  const { value } = yield* rpc.call((kit) => kit.getSignatureStatuses([signature as Signature]))
  assert.isNull(value[0]?.err)
  return signature as string
})

/** Sends an instruction that only the wallet signs. */
export const sendInstruction = async (
  rpc: Rpc["Service"],
  wallet: { readonly keyPair: webcrypto.CryptoKeyPair },
  instructionOf: (source: KeyPairSigner) => Instruction,
): Promise<void> => {
  const source = await createSignerFromKeyPair(wallet.keyPair)
  const latest = await Effect.runPromise(rpc.getLatestBlockhash)
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(source, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest as never, paid),
    (live) => appendTransactionMessageInstruction(instructionOf(source), live),
  )
  const signed = await signTransactionMessageWithSigners(message)
  const wire = getBase64EncodedWireTransaction(signed)
  await Effect.runPromise(rpc.call((kit) => kit.sendTransaction(wire, { encoding: "base64" })))
}

/** Sends lamports away, so that a wallet is left with an exact balance. */
export const transferOut = (
  rpc: Rpc["Service"],
  wallet: { readonly keyPair: webcrypto.CryptoKeyPair },
  amount: bigint,
): Promise<void> => {
  const destination = "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e" as Address
  return sendInstruction(rpc, wallet, (source) => getTransferSolInstruction({ source, destination, amount }))
}
