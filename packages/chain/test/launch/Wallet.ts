import type { webcrypto } from "node:crypto"
import { assert } from "@effect/vitest"
import {
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  type Signature,
} from "@solana/kit"
import { Effect } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"

/** Signs as the wallet would, sends, and requires that it landed. */
export const signAndSend = Effect.fn(function* (wallet: webcrypto.CryptoKeyPair, transaction: string) {
  const rpc = yield* Rpc
  const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  const signed = yield* Effect.promise(() => partiallySignTransaction([wallet], decoded))
  const wire = getBase64EncodedWireTransaction(signed) as Base64EncodedWireTransaction
  const signature = yield* rpc.call((kit) => kit.sendTransaction(wire, { encoding: "base64" }))
  const { value } = yield* rpc.call((kit) => kit.getSignatureStatuses([signature as Signature]))
  assert.isNull(value[0]?.err)
})
