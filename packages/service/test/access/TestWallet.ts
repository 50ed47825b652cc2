import { generateKeyPairSync, sign } from "node:crypto"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { Wallet } from "./SignedAuthorization.ts"

/** A wallet with a new key. */
export const newWallet = (): Wallet => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  return {
    address: encodeBase58(Buffer.from(x, "base64url")),
    signMessage: async (message) => new Uint8Array(sign(null, message, privateKey)),
  }
}
