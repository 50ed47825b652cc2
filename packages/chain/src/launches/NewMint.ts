import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { webcrypto } from "node:crypto"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { createKeyPairFromBytes } from "@solana/kit"
import { refuseIssues } from "../build/RefuseIssues.ts"
import { Effect, Redacted } from "effect"
import { newKeyPair } from "../build/NewKeyPair.ts"
import { signingIssues } from "../build/SigningKeys.ts"

/** A mint to create, and the key to sign with where it is known here. */
export interface NewMint {
  readonly address: string
  readonly keyPair?: webcrypto.CryptoKeyPair | undefined
}

/** The mint that a caller has a key of, such as one with a chosen beginning; none: a new one. */
export type MintSource =
  | { readonly _tag: "Generated" }
  /** The caller signs. */
  | { readonly _tag: "Address"; readonly address: string }
  /** The 64 bytes, to sign with once. */
  | { readonly _tag: "KeyPair"; readonly secretKey: Redacted.Redacted<Uint8Array> }

const PUBLIC_KEY_OFFSET = 32

/** The key of the mint, checked: that it can sign, belongs together, and is none of `others`. */
export const mintFrom = Effect.fnUntraced(function* (
  source: MintSource,
  others: Readonly<Record<string, string | undefined>>,
): Effect.fn.Return<NewMint, InvalidRequest> {
  if (source._tag === "Generated") return yield* Effect.promise(newKeyPair)
  const path = source._tag === "Address" ? "body.mintAddress" : "body.mintKeypair"
  const address =
    source._tag === "Address"
      ? source.address
      : encodeBase58(Redacted.value(source.secretKey).subarray(PUBLIC_KEY_OFFSET))
  yield* refuseIssues(signingIssues(path, address, others))
  if (source._tag === "Address") return { address }
  const message = "expected the secret key of its publicKey"
  const keyPair = yield* Effect.tryPromise({
    try: () => createKeyPairFromBytes(Redacted.value(source.secretKey)),
    // The error may speak of the key.
    catch: () => InvalidRequest.at(path, message),
  })
  return { address, keyPair: keyPair as webcrypto.CryptoKeyPair }
})
