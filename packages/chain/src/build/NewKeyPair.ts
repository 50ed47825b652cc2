import { type webcrypto, generateKeyPairSync } from "node:crypto"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { createKeyPairFromBytes } from "@solana/kit"

/** A new ed25519 key in the forms that are needed of it. `secretKey` is the 64 bytes wallets use: seed, then public key. */
export interface NewKeyPair {
  readonly address: string
  readonly secretKey: Uint8Array
  readonly keyPair: webcrypto.CryptoKeyPair
}

/** A key from the system's secure random source. */
export const newKeyPair = async (): Promise<NewKeyPair> => {
  const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  const secretKey = Uint8Array.from(Buffer.concat([Buffer.from(d!, "base64url"), Buffer.from(x!, "base64url")]))
  return {
    address: encodeBase58(secretKey.subarray(32)),
    secretKey,
    keyPair: (await createKeyPairFromBytes(secretKey)) as webcrypto.CryptoKeyPair,
  }
}
